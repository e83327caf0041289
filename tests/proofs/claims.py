# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The claims of the contract above a function of assembly, which stated.py reads"""

import math

from cpu import Failed, PRESERVED, R8, R9, RCX, RDI, RDX, RSI, RSP, STACKS
from features import implied
from places import lane, mask, reg
from stated import evaluate
from values import const

ARGUMENTS = RDI, RSI, RDX, RCX, R8, R9
LANES = {'xmm': 2, 'ymm': 4, 'zmm': 8}


def places(registers):
    """The places that registers of a block are"""
    return {place for kind, i in registers if kind != 'flags' for place in (
        [reg(i)] if kind == 'r' else [mask(i)] if kind == 'k' else
        [lane(i, j) for j in range(LANES[kind])])}


def wiped_places(block):
    """The registers that hold no secret when the function returns"""
    return places(block.wipes)


class Claims:
    """What a function that is proved owes to its block. Compiled code has none."""

    arguments = ()          # names of inputs
    assumes = ()            # of structures, as stated.py calls it

    def clobbers(self):
        return self.block.clobbers if self.block else set()

    # Memory: reads and writes

    def places_of_block(self, p):
        """
        Where the arguments point to at the entry. If a size depends on the arguments, inputs()
        has the same; else the block decides, and each byte at an end is read or written.
        """
        if not self.block:
            return
        cpu, ctx, block = p.cpu, p.ctx, self.block
        values, found = {}, {}
        for name, i in block.names.items():
            base = [m for m in ctx.norm(cpu.regs[i].p) if len(m) == 1 and m[0] in cpu.regions]
            if base:
                region = cpu.regions[base[0][0]]
                found[name] = region, ctx.minus(cpu.regs[i], cpu.bases[region.name])
            else:
                values[name] = cpu.mod(cpu.regs[i], block.bits(name))
        for name in block.bounds:
            argument, at = block.place(name)
            x = ctx.tight(evaluate(ctx, name, values, self.var) if at is None else cpu.read(
                ctx.plus(cpu.regs[block.names[argument]], at), 8))
            self.ranges.setdefault(name, set()).update((x.lo, x.hi))
        for name in {**block.reads, **block.writes}:
            if name not in found:
                self.must(block.inside, '%s points to nothing' % name)
                continue
            region, offset = found[name]
            self.aligned(name, region)
            texts = [of.get(name, ()) for of in (block.reads, block.writes)]
            reads, writes = ([[evaluate(ctx, x, values, self.var) for x in ends] for ends in of]
                             for of in texts)
            if region.data is not None:
                continue
            if not any(x in values for of in texts for ends in of for x in ' '.join(ends).split()):
                at = ctx.tight(offset).const()
                self.extents[region.name] = name, *({b for lo, hi in of for b in range(
                    at + lo.lo, at + hi.lo)} for of in (reads, writes))
            else:
                (lo, hi), = reads + writes
                self.must(region.writable == bool(writes), '%s: is it written?' % name)
                for x, y in ((region.lo, lo), (region.hi, hi)):
                    d = ctx.tight(ctx.minus(ctx.add(offset, y), x))
                    self.must(d.const() == 0 or block.inside, '%s: %s is another place' % (
                        name, ctx.show(d.p)))
                self.extents[region.name] = name, None, None
        self.must(block.inside or set(block.words) - {'aligned', 'multiple'} == set(self.assumes),
                  'it takes for granted: ' + ', '.join(self.assumes))
        name, step = block.words.get('multiple', (None, 1))
        self.must(not name or math.gcd(*values[name].p.values()) == int(step),
                  '%s is a multiple of another number' % name)
        for pair in block.pairs.values():
            self.assumed(p, pair, *(found[name][0] for name in (pair.one, pair.other)))
        self.confine(p)

    def assumed(self, p, pair, one, other):
        """What is taken for granted of two places, in this case"""
        shifts = p.cpu.twins.get((one if other.name == 'dst' else other).name, ()) if \
            'dst' in (one.name, other.name) else ()
        _, reads, writes = self.extents.get(other.name, (None, None, None))
        self.must(not pair.at[1] or set(range(*pair.at[1])) >= reads | writes,
                  '%s is not all that is used' % pair.at[0])
        self.relations.setdefault(pair, set()).update(
            ['overlaps'] if one.name == 'tag' and other.name in p.cpu.late else
            ['shifted' if shift else 'same' for shift in shifts] or ['apart'])

    def aligned(self, name, region):
        """What is taken for granted of an alignment is what C gives, or what the block requires."""
        block = self.block
        if block.inside or region.data is not None:
            return
        stated = block.words.get('aligned')
        stated = int(stated[1]) if stated and stated[0] == name else 1
        given = block.alignment(name)
        self.must(region.align <= max(stated, given), '%s is aligned to %d bytes' % (
            name, region.align))
        self.must(stated <= given or block.arguments[name][0] == 'void',
                  '%s: C aligns it to %d bytes' % (name, given))

    def confine(self, p):
        """No other memory may be used: called where a segment begins."""
        for region in p.cpu.regions.values() if self.block else ():
            _, reads, writes = self.extents.get(region.name, (None, None, None))
            if reads or writes:
                region.lo, region.hi = (const(x) for x in (
                    min(reads | writes), max(reads | writes) + 1))
                region.writable = bool(writes)

    def granted(self, p):
        """A path has ended: what it has used"""
        for region in p.cpu.regions.values() if self.block else ():
            name, reads, writes = self.extents.get(region.name, (region.name, None, None))
            if region.name in STACKS or region.data is not None:
                continue
            self.must(region.name in self.extents or name in self.block.variables or
                      self.block.inside and name.upper() in self.block.reads,
                      '%s is not named' % (name,))
            used = self.touched.setdefault(name, (set(), set()))
            if reads is None:
                continue
            for had, some, may, what in zip(used, (region.touched, region.written), (
                    reads | writes, writes), ('read', 'written')):
                had.update(b for at, size in some for b in range(at, at + size))
                for b in sorted(had - may):
                    raise Failed('its block: %s: byte %d is %s' % (name, b, what))
                if any(some and rest for rest, some in region.cells.items()):
                    had.add(None)       # at places that are not known

    def arrays(self, p, at_cut):
        """A path has ended: to which bytes of the frame other registers have pointed"""
        if not self.block:
            return
        lo, hi = (self.var(x) if x and not x.isdigit() else int(x or 0) for x in self.block.array)
        for first, end in sorted(p.cpu.pointed):
            self.must(lo <= first and end <= hi, 'bytes %d to %d of the frame are in no array' % (
                first, end))
        region, lowest = p.cpu.lowest
        self.must(not at_cut or not hi or p.cpu.top(region) == lowest,
                  'the stack pointer is not at its lowest')

    @staticmethod
    def used_by(p, callee):
        """A callee uses what its block says. What it writes is written by its model."""
        for name, i in callee.names.items():
            for region in map(p.cpu.of, STACKS & p.cpu.bases.keys()):
                offset = p.ctx.norm(p.ctx.minus(p.cpu.regs[i], p.cpu.bases[region.name]).p)
                for ends in callee.reads.get(name, []) + callee.writes.get(name, []) if \
                        offset.keys() <= {()} else ():
                    lo, hi = (evaluate(p.ctx, x, {}, p.function.var) for x in ends)
                    p.cpu.point(p.cpu.regs[i], lo.lo, hi.hi)
            for region in p.cpu.regions.values():
                at = p.ctx.norm(p.ctx.minus(p.cpu.regs[i], p.cpu.bases[region.name]).p)
                for lo, hi in callee.reads.get(name, ()) if at.keys() <= {()} else ():
                    if (lo + hi).isdigit():
                        region.touched.add((at.get((), 0) + int(lo), int(hi) - int(lo)))

    # Registers and memory: wipes

    def wiped_as_stated(self, p, known, public):
        """A path has returned, and not by a jump to another function."""
        places = wiped_places(self.block)
        if self.running == 'entry' and not self.block.inside:   # What was not written is as before.
            places &= {*p.cpu.written, *(lane(*x) for x in p.cpu.written_vectors)}
        for kind, *place in sorted(places - known):
            raise Failed('its block: %s %s is not wiped' % (kind, place))
        if 'h[2]' in self.block.after:
            p.within(self.h2(p), *self.block.after['h[2]'], 'h[2] afterwards')
        for name, parts in self.block.wiped.items():
            region, = [r for r in p.cpu.regions.values()
                       if self.extents.get(r.name, (None,))[0] == name]
            if self.extents[region.name][1] is None:
                continue
            at = min(self.extents[region.name][1] | self.extents[region.name][2])
            for ends in parts:
                lo, hi = (evaluate(p.ctx, x, {}, self.var).lo for x in ends)
                clean = {b for o, (size, x) in p.cpu.cells(region, {}).items() if public(x)
                         for b in range(o, o + size)}
                self.must(set(range(lo, hi)) <= clean, '%s is not wiped' % name)

    def h2(self, p):
        """The word of h that has a bound afterwards: the third result, or in a structure"""
        if self.block.inside:
            return p.cpu.regs[self.block.results[2]]
        name, at = next(self.block.place(x) for x in self.block.bounds if x.endswith('h[2]'))
        region, = [name_of for name_of, x in self.extents.items() if x[0] == name]
        return p.cpu.read(p.at(region, at), 8)

    # What the code of the function shows

    def must(self, holds, text):
        self.report.claims += 1
        if not holds:
            raise Failed('its block: ' + text)

    def block_holds(self):
        """The function is proved: what remains is to see that its block says no more than is so."""
        block, body = self.block, self.obj.body(self.name)
        jumps = {(i.name == 'call', self.obj.callee(i)) for i in body if
                 i.name == 'call' or i.name[0] == 'j'}
        callees = [self.blocks[name] for _, name in jumps
                   if name in self.blocks and name != self.name]
        written = set().union(*(i.written() for i in body), *(
            {(kind, i) if kind in ('r', 'k', 'flags') else ('zmm' if kind != 'xmm' else kind, i)
             for kind, i in callee.clobbers} for callee in callees)) - {('r', RSP)}
        restored = {('r', i) for i in (*PRESERVED, *ARGUMENTS[:len(self.arguments)])}
        for c in callees:               # A jump leaves no time to restore.
            restored -= c.clobbers if (False, c.name) in jumps else set()
        wide = any(op.kind == 'vector' and op.size == 64 for i in body for op in i.ops)
        stated = {('zmm' if kind == 'ymm' and not wide else kind, i) for kind, i in block.clobbers}
        for kind, i in sorted(written - stated - restored):
            raise Failed('its block: %s %d is clobbered, too' % (kind, i))
        for kind, i in sorted(stated - written):
            raise Failed('its block: %s %d is not clobbered' % (kind, i))
        self.must(not any(kind == 'zmm' for kind, _ in block.clobbers) or wide, 'no zmm registers')
        self.must(self.deepest == block.stack, 'the stack is %d bytes' % self.deepest)
        needed = set().union(*(i.features() for i in body), *(implied(c.features) for c in callees))
        for feature in sorted(block.features):
            self.must(feature.lower() in needed, 'nothing needs ' + feature)
        self.must(block.jumps == {c.name for c in callees if not c.inside and
                                  (False, c.name) in jumps}, 'where does it jump to?')
        for name, *may in self.extents.values():
            for what, may, used in zip(('read', 'written'), may, self.touched[name]):
                for b in sorted(may or ()) if None not in used else ():
                    self.must(b in used or {b - 1, b + 1} <= may, '%s: byte %d is not %s' % (
                        name, b, what))
        self.must(block.variables <= set(self.touched), 'a variable is not read')
        for pair, found in self.relations.items():
            self.must(found - {'apart'} == {pair.how} - {'apart'}, 'may %s overlap %s? %s' % (
                pair.one, pair.other, ' or '.join(sorted(found))))
        for name, (least, most) in block.bounds.items():
            lo, hi = min(self.ranges[name]), max(self.ranges[name])
            self.must(lo == least and (most is None or 0 <= hi - most <= 64),   # a block more
                      '%s is from %#x to %#x' % (name, lo, hi))


