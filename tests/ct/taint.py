# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Taint analysis of x86-64 code: does anything observable depend on secrets?

This is abstract interpretation. Each register, flag and byte of memory is public or secret. For a
public value the analysis knows whether it is an address, and of which region. It follows control
flow to a fixpoint: where paths meet, a value is secret if it is secret on either path. It follows
a path whatever its condition, so the result holds for every length.

A value is
    SECRET          it may depend on a secret, or is not understood
    PUBLIC          a number that does not depend on a secret
    Address         a public address in a region, at a known or unknown offset

Regions are the objects to which arguments point, and the stack frame of each running function.
Memory is secret unless declared public. README.md lists the assumptions.
"""

import collections
import copy
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'proofs'))
from cpu import PRESERVED, RAX, RCX, RDI, RDX, RSI, RSP, Cpu        # noqa: E402
from loader import iced, register                                   # noqa: E402

SECRET, PUBLIC = 'secret', 'public'
FLAGS = 63              # those of iced.RflagsBits that arithmetic writes

# Functions that do not return
NO_RETURN = {'abort', '__stack_chk_fail', 'fortify_panic'}

# Execution does not continue behind these.
TRAPS = {'ud2', 'int3'}

# These do nothing, or make public what the analysis goes on to take for secret.
NOTHING = {'nop', 'endbr64', 'vzeroupper', 'vzeroall'}

# Copies between vectors, memory and general registers, byte for byte
MOVE = set(
    'mov movabs movzx movdqa movdqu movaps movups movq movd vmovdqa vmovdqu vmovq vmovd '
    'vmovdqa64 vmovdqu64 vmovdqu8'.split())

# Instructions that tests/proofs does not know. A person has looked at each of these and of those
# that it knows: their time does not depend on the values of their operands, except for that of
# div, which must be public. In particular there is no gather or scatter, no floating point, and no
# instruction that stops early.
OTHERS = set('andps bt movhlps psrld punpckldq sar'.split())

# Of what the kernel's %gs and a program's %fs address, Analysis.address() says enough.
SEGMENTS = {iced.Register.FS, iced.Register.GS}
FACTORY = iced.InstructionInfoFactory()
READS, WRITES = ({getattr(iced.OpAccess, name) for name in names.split()} for names in (
    'READ COND_READ READ_WRITE COND_WRITE READ_COND_WRITE',
    'WRITE COND_WRITE READ_WRITE READ_COND_WRITE'))

# A byte is PUBLIC, (address, i) if it is byte i of a public address, or None if it may be secret.
UNKNOWN = {**{('vector', number): (None,) * 64 for number in range(32)},
           **{('mask', number): (None,) * 8 for number in range(8)}}


class Address(collections.namedtuple('Address', 'region offset')):
    """A public address in a region, at an offset that may be unknown (None)"""

    def plus(self, number=None):
        unknown = None in (self.offset, number)
        return Address(self.region, None if unknown else self.offset + number)


GLOBALS = Address('globals', None)


def to_bytes(value, size):
    if value == PUBLIC:
        return [PUBLIC] * size
    if value == SECRET or size != 8 and value != GLOBALS:
        return [None] * size
    return [(value, i) for i in range(size)]


def to_value(known):
    if all(byte == PUBLIC for byte in known):
        return PUBLIC
    value = known[0] and known[0][0]
    return value if known[0] and list(known) == to_bytes(value, len(known)) else SECRET


def combine(values):
    return PUBLIC if all(value == PUBLIC for value in values) else SECRET


def join(a, b):
    """The kind of a byte that is of kind a or of kind b"""
    if a == b:
        return a
    if PUBLIC in (a, b) or None in (a, b) or a[0].region != b[0].region or a[1] != b[1]:
        return None
    return a[0].plus(), a[1]


class Lost(Exception):
    """The analysis cannot go on from here."""


class State:
    """Registers, flags and memory at one point of the program"""

    def __init__(self):
        self.registers = {**UNKNOWN, **{('general', n): (PUBLIC,) * 8 for n in range(16)}}
        self.secret_flags = FLAGS
        self.memory = {}        # region -> {offset: byte}, without those that are secret
        self.constants = {}     # general registers just loaded with a number
        # Frame -> the lowest stack pointer, and the instruction that made it so; None where
        # paths differ
        self.lows = {}
        self.settled = set()    # frames whose low end the analysis relied upon

    def general(self, number):
        """The value of a general register"""
        return to_value(self.registers['general', number])

    def put(self, number, value):
        self.registers['general', number] = tuple(to_bytes(value, 8))
        self.constants.pop(number, None)

    def set_flags(self, flags, secret):
        self.secret_flags = self.secret_flags | flags if secret else self.secret_flags & ~flags

    def load(self, at, size):
        memory = self.memory.get(at.region, {})
        return [memory.get(at.offset + i) for i in range(size)]

    def copy(self):
        other = State.__new__(State)
        other.__dict__ = {name: copy.copy(value) for name, value in self.__dict__.items()}
        other.memory = {region: dict(bytes_) for region, bytes_ in self.memory.items()}
        return other

    def merge(self, other):
        """Join with another state; return whether this one changed."""
        before = dict(self.__dict__)
        self.registers = {place: mine if mine == theirs else tuple(map(join, mine, theirs))
                          for (place, mine), theirs in zip(
                              self.registers.items(), other.registers.values())}
        self.secret_flags = self.secret_flags | other.secret_flags
        self.memory = {region: {
            at: byte for at in mine.keys() & other.memory.get(region, {}).keys()
            for byte in [join(mine[at], other.memory[region][at])] if byte}
                       for region, mine in self.memory.items()}
        self.lows = {region: low if low == other.lows.get(region) else None
                     for region, low in self.lows.items()}
        self.settled = self.settled | other.settled
        self.constants = dict(self.constants.items() & other.constants.items())
        return self.__dict__ != before


def trampoline(insn):
    """Whether it is a static call, which the kernel may direct to any implementation"""
    return (insn.symbol or '').startswith('__SCT__')


class Analysis:
    """One function, with all functions that it calls; findings"""

    def __init__(self, program, contract):
        self.program = program
        self.contract = contract
        self.found = {}         # (place, what): in order of discovery
        self.frames = set()     # regions that are frames
        self.seen = set()       # instructions reached

    def enter(self, state, region, place, arguments):
        """Begin a frame. The arguments beyond the sixth lie above the return address."""
        self.frames.add(region)
        state.put(RSP, Address(region, 0))
        state.memory[region] = dict.fromkeys(range(8), PUBLIC)
        state.memory[region].update(
            (offset, byte) for offset, byte in enumerate(arguments, 8) if byte is not None)
        state.lows[region] = 0, place
        state.settled.discard(region)

    def leak(self, insn, what):
        self.found.setdefault((insn.at, what), insn)

    # Memory

    def address(self, state, insn, op):
        """The address of a memory operand, as a value"""
        parts = [(state.general(register), scale) for register, scale in (
            (op.base, 1), (op.index, op.scale)) if register is not None]
        if op.symbol or op.segment in ('fs', 'gs'):
            parts.append((GLOBALS, 1))
        addresses = [value for value, scale in parts if isinstance(value, Address) and scale == 1]
        if len(addresses) != 1:
            return combine([value for value, _ in parts])
        if any(value != PUBLIC for value, _ in parts if value is not addresses[0]):
            return SECRET
        return addresses[0].plus(op.displacement if len(parts) == 1 else None)

    def known(self, insn, at):
        """An address; a finding, and None, if it is secret or unknown"""
        if isinstance(at, Address):
            return at
        self.leak(insn, 'the address depends on a secret, or on nothing that is understood')
        return None

    def arrays(self, state, insn, region):
        """The parts of a region that a store to an unknown offset may change"""
        if region not in self.frames:
            return self.contract.arrays[region]
        if state.lows[region] is None:
            self.leak(insn, 'an array in an unknown frame (not understood)')
            return []
        low, lowered = state.lows[region]
        arrays = self.contract.frame(self.program, self.program.function_at(lowered))
        if not arrays:
            self.leak(insn, 'an undeclared array (not understood)')
        if not all(from_top for _, _, from_top in arrays):
            state.settled.add(region)
        return [(begin + (8 if from_top else low), end + (8 if from_top else low))
                for begin, end, from_top in arrays]

    def load(self, state, insn, op, size):
        """The bytes of an operand in memory"""
        at = self.known(insn, self.address(state, insn, op))
        if at == GLOBALS or at and at.region in self.contract.tables:
            return [PUBLIC] * size
        if at is None or at.offset is None:
            return [None] * size
        return state.load(at, size)

    def store_at(self, state, insn, at, entries):
        if at.region in self.contract.constant:
            self.leak(insn, 'writes to an input')
            return
        if at == GLOBALS:
            if None in entries:
                self.leak(insn, 'writes a secret to a global variable')
            return
        memory = state.memory.setdefault(at.region, {})
        if at.offset is not None:
            for offset, entry in enumerate(entries, at.offset):
                if entry is None:
                    memory.pop(offset, None)
                else:
                    memory[offset] = entry
            return
        public = set(entries) == {PUBLIC}
        for begin, end in self.arrays(state, insn, at.region):
            for offset in [offset for offset in memory if begin <= offset < end]:
                if not public or memory[offset] != PUBLIC:
                    del memory[offset]

    # Values

    def bytes(self, state, insn, op, size):
        """The bytes of an operand"""
        if op.kind == 'number' or op.kind == 'memory' and op.symbol in self.contract.pointers:
            return to_bytes(GLOBALS if op.symbol else PUBLIC, size)
        if op.kind == 'memory':
            return self.load(state, insn, op, size)
        return list(state.registers[op.kind, op.number][op.begin:op.begin + size])

    def read(self, state, insn, op, size=None):
        """An operand as a value"""
        return to_value(self.bytes(state, insn, op, size or op.size))

    def put_bytes(self, state, insn, op, new):
        if op.kind == 'memory':
            at = self.known(insn, self.address(state, insn, op))
            if at is not None:
                self.store_at(state, insn, at, new)
            return
        if op.kind == 'general' and len(new) == 4:
            new = to_bytes(GLOBALS, 8) if to_value(new) == GLOBALS else new + [PUBLIC] * 4
        self.put_register(state, insn, (op.kind, op.number), op.begin, new)

    def put_register(self, state, insn, place, begin, new):
        old = state.registers[place]
        state.registers[place] = *old[:begin], *new, *old[begin + len(new):]
        if place[0] == 'general':
            state.constants.pop(place[1], None)
            if place[1] == RSP:
                self.stack_moved(state, insn)

    def write(self, state, insn, op, value):
        self.put_bytes(state, insn, op, to_bytes(value, op.size))

    def stack_moved(self, state, insn):
        top = state.general(RSP)
        if not isinstance(top, Address) or top.offset is None or top.region not in self.frames:
            self.leak(insn, 'the stack pointer is unknown (not understood)')
            raise Lost
        low = state.lows.get(top.region)
        if top.offset == 0 or low is not None and top.offset < low[0]:
            if top.offset and top.region in state.settled:
                self.leak(insn, 'the frame grows late (not understood)')
            state.lows[top.region] = top.offset, insn.at
            if top.offset == 0:
                state.settled.discard(top.region)

    @staticmethod
    def arithmetic(name, ops, values):
        """The result of an instruction that reads these values, which may be addresses"""
        constant = 1 if name in ('inc', 'dec') else \
            ops[-1].value if ops and ops[-1].kind == 'number' and not ops[-1].symbol else None
        sign = {'add': 1, 'inc': 1, 'sub': -1, 'dec': -1}.get(name)
        a, b = (values + [PUBLIC] * 2)[:2]
        if sign and isinstance(a, Address) and b == PUBLIC:
            return a.plus(None if constant is None else sign * constant)
        if name == 'add' and a == PUBLIC and isinstance(b, Address):
            return b.plus()
        if name == 'sub' and isinstance(a, Address) and \
                isinstance(b, Address) and a.region == b.region:
            return PUBLIC
        if name == 'and' and isinstance(a, Address) and constant is not None and constant < 0:
            return a.plus()
        return combine(values)

    # Instructions

    def step(self, state, insn):
        """Execute one instruction that is not a jump."""
        name, ops = insn.name, insn.ops
        if name in NOTHING:
            return
        # A secret mask may choose lanes of registers, but not bytes of memory.
        if any(op.kind == 'memory' for op in ops) and any(
                None in state.registers['mask', k] for op in ops for k in op.masking):
            self.leak(insn, 'which bytes are touched depends on a secret')
        if name in MOVE:
            self.move(state, insn, ops)
        elif name == 'prefetcht0':      # its address is observable
            self.known(insn, self.address(state, insn, ops[0]))
        elif name == 'lea':
            self.write(state, insn, ops[0], self.address(state, insn, ops[1]))
        elif name == 'push':
            pushed = self.bytes(state, insn, ops[0], 8)
            state.put(RSP, state.general(RSP).plus(-8))
            self.stack_moved(state, insn)
            self.store_at(state, insn, state.general(RSP), pushed)
        elif name == 'pop':
            top = state.general(RSP)
            state.put(RSP, top.plus(8))
            self.put_bytes(state, insn, ops[0], state.load(top, 8))
            self.stack_moved(state, insn)
        elif name[:3] == 'set' or name[:4] == 'cmov':
            self.conditional(state, insn, ops)
        elif name in ('stos', 'movs'):
            self.string(state, insn, ops)
        elif name == 'and' and ops[0].text == 'rsp':
            self.align(state, insn)
        elif name in OTHERS or hasattr(Cpu, 'do_' + name):
            self.flow(state, insn, ops)
        else:
            self.leak(insn, 'an instruction that taint.py does not know')
            raise Lost

    def flow(self, state, insn, ops):
        """All that an instruction writes depends on all that it reads, as iced-x86 has it."""
        raw, info = insn.raw, FACTORY.info(insn.raw)
        used = [(register(u.register), u.access) for u in info.used_registers()
                if u.register not in SEGMENTS]
        named = {(op.kind, op.number) for op in ops} | {
            ('general', n) for op in ops for n in (op.base, op.index)}
        values = [self.read(state, insn, op) for i, op in enumerate(ops)
                  if info.op_access(i) in READS]
        values += [to_value(state.registers[place[:2]]) for place, access in used
                   if access in READS and place[:2] not in named]
        if insn.name[:2] == 'kx' and ops[1].number == ops[2].number:
            values = []
        if insn.name == 'sbb' and ops[0].text == ops[1].text:   # the carry alone
            values = []
        if state.secret_flags & raw.rflags_read:
            values.append(SECRET)
        value = self.arithmetic(insn.name, ops, values)
        if insn.name == 'div' and value == SECRET:
            self.leak(insn, 'its time depends on a secret')
        for i, op in enumerate(ops):
            if op.kind == 'memory' and info.op_access(i) in WRITES:
                self.write(state, insn, op, value)
        for (kind, number, size, begin), access in used:
            if access in WRITES:
                self.put_register(state, insn, (kind, number), begin, to_bytes(value, size))
        state.set_flags(raw.rflags_modified, SECRET in values and value == SECRET)

    def move(self, state, insn, ops):
        """
        A copy, byte for byte. The rest of a general register and of the low half of a vector
        becomes zero. The bytes above stay, as if all instructions were legacy SSE.
        """
        to, source = ops
        size = 8 if insn.name in ('movq', 'vmovq') else min(op.size for op in ops)
        moved = self.bytes(state, insn, source, size)
        if to.masking:          # Of bytes that stay nothing is known.
            moved = [None] * size
        if to.kind != 'memory':
            moved += [PUBLIC] * ((16 if to.kind == 'vector' else to.size) - size)
        self.put_bytes(state, insn, to, moved)
        if to.kind == 'general' and size >= 4 and source.kind == 'number' and not source.symbol:
            state.constants[to.number] = source.value

    def align(self, state, insn):
        """Align the frame, as if the return address ended at a multiple of 64."""
        top = state.general(RSP)
        state.put(RSP, top.plus(((top.offset + 8) & insn.ops[1].value) - 8 - top.offset))
        self.stack_moved(state, insn)
        state.set_flags(FLAGS, False)

    def conditional(self, state, insn, ops):
        new = [PUBLIC] if len(ops) == 1 else list(map(join, *(
            self.bytes(state, insn, op, ops[0].size) for op in ops)))
        if state.secret_flags & insn.raw.rflags_read:
            new = [None] * len(new)
        self.put_bytes(state, insn, ops[0], new)

    def string(self, state, insn, ops):
        """rep stos, rep movs: %rcx has the count."""
        count = state.general(RCX)
        if count == SECRET:
            self.leak(insn, 'its time depends on a secret')
        size = ops[0].size * state.constants.get(RCX, 0)
        self.block(state, insn, size or None, state.general(RAX) if insn.name == 'stos' else None)
        state.put(RCX, PUBLIC)
        for register in (RDI, RSI) if insn.name == 'movs' else (RDI,):
            if isinstance(state.general(register), Address):
                state.put(register, state.general(register).plus())

    def block(self, state, insn, size, fill):
        """memset(), or memcpy() if fill is None: size in bytes, or None if unknown"""
        target = self.known(insn, state.general(RDI))
        if fill is None:
            fill = PUBLIC if self.known(insn, state.general(RSI)) == GLOBALS else SECRET
        if target is not None:
            self.store_at(state, insn, target if size and target.offset is not None else
                          target.plus(), [None if fill == SECRET else PUBLIC] * (size or 1))

    # Control flow

    def run(self, place, state):
        """Run a function from its entry to its returns, and join their states."""
        program = self.program
        region = state.general(RSP).region
        waiting, before, after = [place], {place: state}, None
        while waiting:
            at = waiting.pop()
            state = before[at].copy()
            while True:
                insn = program.code[at]
                self.seen.add(at)
                try:
                    successors = self.follow(state, insn)
                except Lost:
                    break
                if successors == 'return':
                    if state.general(RSP) != Address(region, 0):
                        self.leak(insn, 'returns elsewhere (not understood)')
                    after = after or state
                    after.merge(state)
                    break
                if len(successors) == 1 and successors[0] not in program.leaders:
                    at = successors[0]
                    continue
                for successor in successors:
                    if successor not in before:
                        before[successor] = state.copy()
                        waiting.append(successor)
                    elif before[successor].merge(state) and successor not in waiting:
                        waiting.append(successor)
                break
        return after

    def follow(self, state, insn):
        """Execute one instruction; return its successors, or 'return'."""
        name = insn.name
        if name == 'ret':
            return 'return'
        if name == 'call' and insn.symbol == '__fentry__':
            return [insn.after]     # patched to do nothing
        if name == 'call' or name == 'jmp' and (not insn.target or trampoline(insn)):
            if not self.call(state, insn):
                return []
            after = insn.after
            if insn.symbol == '__warn_printk':
                # The trap behind it belongs to WARN(), which returns.
                after = self.program.code[after].after
            return 'return' if name == 'jmp' else [after]
        if name == 'jmp':
            return [insn.target]
        if name[0] == 'j':
            if state.secret_flags & insn.raw.rflags_read:
                self.leak(insn, 'a branch depends on a secret')
            return [insn.target, insn.after]
        if name in TRAPS:
            return []
        self.step(state, insn)
        return [insn.after]

    def call(self, state, insn):
        """Execute a call; return False if it does not come back."""
        target, name = insn.target, insn.symbol
        if insn.ops[0].kind != 'code':
            if self.read(state, insn, insn.ops[0]) == SECRET:
                self.leak(insn, 'the target of a jump depends on a secret')
            return self.external(state, insn, 'indirect')
        if trampoline(insn):
            return self.external(state, insn, 'indirect')
        if target is None:
            return self.external(state, insn, name)
        name = self.program.function_at(target)[1]
        if name.split('.')[0] in self.contract.external:
            return self.external(state, insn, name.split('.')[0])
        stack = state.general(RSP)
        inner, region = state.copy(), '%s > %s' % (stack.region, name)
        self.enter(inner, region, target, state.load(stack, 16))
        after = self.run(target, inner)
        if after is None:
            return False
        state.__dict__.update(after.__dict__)
        del state.memory[region], state.lows[region]
        state.put(RSP, stack)
        if name.split('.')[0] in self.contract.declassified:
            state.put(RAX, PUBLIC)
        return True

    def external(self, state, insn, name):
        """The effects of a function without code in these objects"""
        if name in NO_RETURN:
            return False
        if state.general(RDX) == SECRET and name[:3] == 'mem':
            self.leak(insn, 'a length depends on a secret')
        size = state.constants.get(RDX)
        target = state.general(RDI)
        if name == 'memset':
            self.block(state, insn, size, combine([state.general(RSI)]))
        elif name in ('memcpy', 'memmove'):
            self.block(state, insn, size, None)
        elif name in self.contract.external:
            described = self.contract.external[name]
            target = described and described(self, state, insn)
        else:
            self.leak(insn, 'calls %s, whose effects prove.py does not describe' % name)
            raise Lost
        for number in set(range(16)) - {*PRESERVED, RSP}:
            state.put(number, PUBLIC)
        if target is not None:
            state.put(RAX, target)
        state.registers.update(UNKNOWN)
        state.set_flags(FLAGS, True)
        return True
