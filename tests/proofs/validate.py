#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
validate.py [--record FILE] [--known FILE] OBJECT...: compare the engine with this CPU.

A form of an instruction is its name with the kinds, sizes and equalities of its operands, and
its immediate numbers. Each form in the objects is executed on random and extreme operands, and
by the engine twice: on variables, whose results are evaluated then, which tests divisions and
intervals; and on constants. Registers, vectors, masks, memory and the flags that are defined
must agree. --record writes the CPU's name and the forms that need AVX-512 to a file; --known names
files with what other CPUs have shown. Forms that neither this CPU nor a file has shown are named,
and make the result a failure.
"""

import argparse
import ctypes
import random
import re
import subprocess
import sys
import tempfile

from check import Checked, Dump
from cpu import Cpu, NAMES, RCX, RDX, RSP, R15
from loader import Objects, PADDING
from values import Infeasible, Stuck, const, only_variable

FLAGS, VEC, MASK, MEM, SIZE = 128, 192, 192 + 2048, 192 + 2048 + 64, 192 + 2048 + 64 + 128
# Tested by every function that returns, or without any effect
UNTESTED = PADDING | {'push', 'pop', 'call', 'ret', 'jmp', 'endbr64', 'prefetcht0'}
CARRY = {'add', 'adc', 'sub', 'sbb', 'cmp', 'neg', 'and', 'or', 'xor', 'test', 'bts'}
ZEROS = (CARRY | {'inc', 'dec', 'shl', 'shr', 'kortestq'}) - {'bts'}
# Operands that the engine wants to know: name -> their numbers
KNOWN = {'div': (0,), 'shrx': (2,), 'bzhi': (2,), 'vpshufb': (2,), 'vpermd': (1,), 'vpermi2q': (0,),
         'kxorb': (1, 2), 'kxnorq': (1, 2)}
TRIALS = 12
# [(name, offset)] of all that is compared
STATE = [(NAMES[i], 8 * i) for i in range(16) if i != RSP] + \
    [('v%d.%d' % (i, j), VEC + 64 * i + 8 * j) for i in range(32) for j in range(8)] + \
    [('k%d' % i, MASK + 8 * i) for i in range(8)] + [('mem%d' % i, MEM + 8 * i) for i in range(16)]


def shape(insn, ops):
    """The form of an instruction"""
    parts, seen = [insn.name], {}
    for op in ops:
        if op.kind == 'number':
            parts.append('%d' % op.value)
        elif op.kind == 'memory':
            size = 'mem%d%s' % (op.size, 'b' if op.broadcast else '')
            parts.append(size if insn.name != 'lea' else 'address:%d%d*%d%+d' % (
                op.base is not None, op.index is not None, op.scale,
                (op.displacement > 0) - (op.displacement < 0)))
        else:
            n = seen.setdefault((op.kind, op.number), len(seen))
            parts.append('%s%d.%d%s' % (op.kind, op.size, n, 'cl' if op.text == 'cl' else ''))
        parts[-1] += '{k}{z}' if op.zeroing else '{k}' if op.masking else ''
    return ' '.join(parts)


def forms(obj):
    """{form: (text to assemble, instruction, with its memory at r15)}, without the stack's"""
    found = {}
    for insn in obj.code.values():
        if insn.name in UNTESTED or insn.name[0] == 'j':
            continue
        ops = obj.operands(insn)
        memory = [op for op in ops if op.kind == 'memory']
        if insn.name == 'lea' and ('rip' in insn.text or 'rsp' in insn.text):
            continue
        if any(op.kind == 'general' and (op.number == RSP or memory and op.number == R15)
               for op in ops):
            continue
        if memory and insn.name != 'lea':
            insn = insn.at_register(R15)
        found.setdefault(shape(insn, ops), (insn.source(), insn))
    return found


def runnable(insn, flags):
    """Whether a CPU with these flags has the instruction"""
    return {f for f in insn.features() if f.startswith(('avx', 'bmi'))} <= flags


def assemble(texts, folder, wide):
    """A library with a function for each text, which loads a state, runs it, and stores it."""
    push = 'rbx rbp r12 r13 r14 r15'.split()
    vectors = [('zmm%d' % i, 'vmovdqu64') for i in range(32)] if wide else \
        [('ymm%d' % i, 'vmovdqu') for i in range(16)]
    load = ['%s %s, [rdi+%d]' % (move, r, VEC + 64 * i) for i, (r, move) in enumerate(vectors)]
    store = ['%s [rax+%d], %s' % (move, VEC + 64 * i, r) for i, (r, move) in enumerate(vectors)]
    if wide:
        load += ['kmovq k%d, [rdi+%d]' % (i, MASK + 8 * i) for i in range(8)]
        store += ['kmovq [rax+%d], k%d' % (MASK + 8 * i, i) for i in range(8)]
    others = [(i, r) for i, r in enumerate(NAMES) if r not in ('rsp', 'rdi')]
    out = ['.intel_syntax noprefix', '.text']
    for k, text in enumerate(texts):
        out += ['.globl t%d' % k, 't%d:' % k] + ['push ' + r for r in push]
        out += ['mov [rip+context], rdi', 'mov [rip+stack], rsp'] + load
        out += ['push qword ptr [rdi+%d]' % FLAGS, 'popfq']
        out += ['mov %s, [rdi+%d]' % (r, 8 * i) for i, r in others] + ['mov rdi, [rdi+56]', text]
        out += ['mov [rip+saved], rax', 'mov rax, [rip+context]', 'mov [rax+56], rdi',
                'mov rdi, [rip+saved]', 'mov [rax], rdi']
        out += ['mov [rax+%d], %s' % (8 * i, r) for i, r in others if r != 'rax']
        out += ['pushfq', 'pop qword ptr [rax+%d]' % FLAGS] + store
        out += ['mov rsp, [rip+stack]'] + ['pop ' + r for r in reversed(push)] + ['ret']
    out += ['.data', 'context: .quad 0', 'stack: .quad 0', 'saved: .quad 0',
            '.section .note.GNU-stack,"",@progbits', '']
    with open(folder + '/t.s', 'w', encoding='ascii') as stream:
        stream.write('\n'.join(out))
    subprocess.run(['gcc', '-shared', '-o', folder + '/t.so', folder + '/t.s'], check=True)
    return ctypes.CDLL(folder + '/t.so')


def operand(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice([0, 1, (1 << 64) - 1, 1 << 63, (1 << 32) - 1, 1 << 32, 1 << 52])
    if kind == 1:
        return rng.getrandbits(rng.randrange(1, 65))
    if kind == 2:
        return (1 << 64) - 1 - rng.getrandbits(rng.randrange(1, 65))
    return rng.getrandbits(64)


def run_engine(obj, insn, state, symbolic):
    """What the engine makes of a state: {name: value}"""
    cpu = Cpu(obj)
    ctx, inputs, ops = cpu.ctx, [], obj.operands(insn)
    known = {(ops[i].kind, getattr(ops[i], 'number', None)) for i in KNOWN.get(insn.name, ())
             if i < len(ops)}
    known |= {('general', RDX)} if insn.name == 'div' else set()
    known |= {('mask', k) for op in ops if op.kind == 'vector' for k in op.masking}
    if insn.name == 'vpermq' and len(ops) > 2 and ops[2].kind != 'number':
        known.add((ops[1].kind, ops[1].number))
    memory = insn.name != 'lea' and any(op.kind == 'memory' for op in ops)
    if any(op.text == 'cl' for op in ops):
        known.add(('general', RCX))

    def value(name, at, kind=None, number=None, bits=64):
        x = int.from_bytes(state[at:at + 8], 'little') & ((1 << bits) - 1)
        if not symbolic or (kind, number) in known:
            return const(x)
        y = ctx.word(name, bits)
        inputs.append((only_variable(y), x))
        return y
    mem = cpu.region('mem', const(0), const(128))
    for i in range(16):
        if i != RSP:
            cpu.regs[i] = value(NAMES[i], 8 * i, 'general', i)
    if memory:
        cpu.regs[R15] = mem
    cpu.vec = [[value('v%d.%d' % (i, j), VEC + 64 * i + 8 * j, 'vector', i) for j in range(8)]
               for i in range(32)]
    cpu.mask = [value('k%d' % i, MASK + 8 * i, 'mask', i) for i in range(8)]
    for i in range(16):
        cpu.write(ctx.plus(mem, 8 * i), 8, value('mem%d' % i, MEM + 8 * i, 'memory', None))
    flags = int.from_bytes(state[FLAGS:FLAGS + 8], 'little')
    conditional = insn.name[:3] in ('set', 'cmo')
    cpu.c = const(flags & 1) if conditional or not symbolic else value('cf', FLAGS, bits=1)
    cpu.z = const(1 - (flags >> 6 & 1))
    cpu.step(insn)
    value_of = Checked(Dump.line(ctx, [], inputs)).sample(random.Random(1))[1]

    def evaluate(x):
        y = value_of([(c, m) for m, c in x.p.items()])
        if not x.lo <= y <= x.hi:
            raise AssertionError('%s: %#x is outside [%#x, %#x]' % (insn.text, y, x.lo, x.hi))
        return y
    result = {NAMES[i]: evaluate(cpu.regs[i]) for i in range(16)
              if i != RSP and not (memory and i == R15)}
    result.update(('v%d.%d' % (i, j), evaluate(cpu.vec[i][j])) for i in range(32)
                  for j in range(8))
    result.update(('k%d' % i, evaluate(cpu.mask[i])) for i in range(8))
    result.update(('mem%d' % i, evaluate(cpu.read(ctx.plus(mem, 8 * i), 8))) for i in range(16))
    if insn.name in CARRY:
        result['cf'] = evaluate(cpu.c)
    if insn.name in ZEROS:
        result['zf'] = int(evaluate(cpu.z) == 0)
    return result


def compare(obj, lib, number, insn, wide, rng):
    """(comparisons, differences as text, reasons why the engine could not)"""
    done, wrong, stuck = 0, [], set()
    for _ in range(TRIALS):
        room = ctypes.create_string_buffer(SIZE + 64)
        buffer = (ctypes.c_char * SIZE).from_buffer(room, -ctypes.addressof(room) % 64)
        for i in range(0, SIZE, 8):
            buffer[i:i + 8] = operand(rng).to_bytes(8, 'little')
        buffer[FLAGS:FLAGS + 8] = (2 | rng.getrandbits(1) | rng.getrandbits(1) << 6).to_bytes(
            8, 'little')
        if insn.name == 'div':          # of one word, by a number that is not 0
            at = 8 * obj.operands(insn)[0].number
            buffer[8 * RDX:8 * RDX + 8] = bytes(8)
            buffer[at:at + 8] = (operand(rng) | 1).to_bytes(8, 'little')
        before = bytes(buffer)
        if insn.name != 'lea' and any(op.kind == 'memory' for op in obj.operands(insn)):
            address = ctypes.addressof(buffer) + MEM
            buffer[8 * R15:8 * R15 + 8] = address.to_bytes(8, 'little')
        getattr(lib, 't%d' % number)(buffer)
        after = bytes(buffer)
        want = {name: int.from_bytes(after[at:at + 8], 'little') for name, at in STATE}
        flags = int.from_bytes(after[FLAGS:FLAGS + 8], 'little')
        want.update(cf=flags & 1, zf=flags >> 6 & 1)
        for symbolic in (True, False):
            try:
                got = run_engine(obj, insn, before, symbolic)
            except (Stuck, Infeasible) as e:
                stuck.add((symbolic, str(e)))
                continue
            if not wide:
                got = {n: x for n, x in got.items() if n[0] != 'k' and not re.match(
                    r'v(1[6-9]|2|3[01])|v\d+\.[4-7]', n)}
            done += 1
            wrong += ['%s: %s is %#x, engine %#x' % (insn.text, n, want[n], x)
                      for n, x in got.items() if x != want[n]][:1]
    return done, wrong, stuck


def cpu_info():
    with open('/proc/cpuinfo', encoding='ascii') as stream:
        fields = dict(re.findall(r'^(.*?)\s*: (.*)$', stream.read().split('\n\n')[0], re.M))
    return '%s, family %s, model %s, stepping %s' % tuple(
        fields[k] for k in ('model name', 'cpu family', 'model', 'stepping')), \
        set(fields['flags'].split())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--record')
    parser.add_argument('--known', nargs='*', default=[])
    parser.add_argument('objects', nargs='+')
    args = parser.parse_args()
    name, flags = cpu_info()
    obj, rng = Objects(args.objects), random.Random(1)
    every = forms(obj)
    wide = {'avx512f', 'avx512bw'} <= flags
    here = {s: f for s, f in sorted(every.items()) if runnable(f[1], flags)}
    with tempfile.TemporaryDirectory() as folder:
        lib = assemble([text for text, _ in here.values()], folder, wide)
        total, failed, shown = 0, 0, set()
        for k, (form, (text, insn)) in enumerate(here.items()):
            done, wrong, stuck = compare(obj, lib, k, insn, wide, rng)
            total += done
            if wrong:
                failed += 1
                print('not ok ' + wrong[0])
            elif done:
                shown.add(form)
            for symbolic, why in sorted(stuck):
                if not symbolic:
                    print('# not understood: %s' % why)
    names = {form.split()[0] for form in shown}
    print('%s %d forms of %d instructions agree with %s: %d comparisons' % (
        'not ok' if failed else 'ok', len(shown), len(names), name, total))
    if args.record:
        with open(args.record, 'w', encoding='ascii') as stream:
            stream.write('# SPDX-License-Identifier: GPL-2.0 OR MIT\n# %s\n' % name)
            shown = {f for f in shown if not runnable(every[f][1], {'avx', 'avx2', 'bmi2'})}
            for name in sorted({f.split()[0] for f in shown}):
                rest = [f[len(name) + 1:] for f in sorted(shown) if f.split()[0] == name]
                stream.write((name + ' ' + '; '.join(rest)).strip() + '\n')
    for file in args.known:
        with open(file, encoding='ascii') as stream:
            for line in stream:
                form, _, rest = line.rstrip('\n').partition(' ')
                shown |= {(form + ' ' + x.strip()).strip() for x in rest.split(';')}
    missing = sorted(set(every) - shown)
    print('%s %d of %d forms are validated, on this CPU or by a record' % (
        'not ok' if missing else 'ok', len(every) - len(missing), len(every)))
    for form in missing:
        print('# never validated: %s (%s)' % (form, every[form][0]))
    return 1 if failed or missing else 0


if __name__ == '__main__':
    sys.exit(main())
