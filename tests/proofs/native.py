# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
This CPU: object code, run from any state of the registers and of memory. What is run is a text of
one instruction, a function, or a piece of a path: from where the engine began it to its end.
"""

import ctypes
import mmap
import os
import pickle
import random
import re
import resource
import subprocess
import tempfile

from cpu import NAMES, RSP
from loader import THUNK

# The words of a state: general registers, flags, where to begin, vectors, masks, memory
FLAGS, TARGET, VEC, MASK, MEM, WORDS = 16, 17, 24, 24 + 256, 288, 288 + 16
SLOT, PAGE = 1 << 16, 1 << 12
FULL = (1 << 64) - 1


def cpu_info():
    with open('/proc/cpuinfo', encoding='ascii') as stream:
        fields = dict(re.findall(r'^(.*?)\s*: (.*)$', stream.read().split('\n\n')[0], re.M))
    return '%s, family %s, model %s, stepping %s' % tuple(
        fields[k] for k in ('model name', 'cpu family', 'model', 'stepping')), \
        set(fields['flags'].split())


CPU, HAS = cpu_info()
WIDE = {'avx512f', 'avx512bw'} <= HAS


def runnable(insn):
    """Whether this CPU has an instruction"""
    return {f for f in insn.features() if f.startswith(('avx', 'bmi'))} <= HAS


# run_to(state, stop, passes) is run(), but goes no further than to stop, when it has passed that so
# often: 1 if it came there, 0 if it came to land by itself, or else the number of a signal
STOP = r"""
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

extern void run(void *state);
extern char land[];
static const int signals[] = {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGVTALRM};
static unsigned char *stop, old;
static long passes;
static int how, again;

static void trap(int number, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)info;
	if (number == SIGTRAP && again) {	/* the instruction at stop is done */
		*stop = 0xcc;
		again = 0;
		regs[REG_EFL] &= ~0x100;
		return;
	}
	if (number == SIGTRAP && (unsigned char *)regs[REG_RIP] == stop + 1) {
		if (passes--) {
			*stop = old;
			again = 1;
			regs[REG_EFL] |= 0x100;
			regs[REG_RIP]--;
			return;
		}
		number = 1;
	}
	how = number;
	regs[REG_RIP] = (greg_t)land;
}

int run_to(void *state, unsigned char *at, long count)
{
	static char stack[1 << 16];
	stack_t mine = {.ss_sp = stack, .ss_size = sizeof(stack)}, theirs;
	struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO | SA_ONSTACK}, before[6];
	struct itimerval limit = {.it_value.tv_sec = 5}, none = {};

	stop = at;
	passes = count;
	how = again = 0;
	sigaltstack(&mine, &theirs);
	for (int i = 0; i < 6; i++)
		sigaction(signals[i], &action, &before[i]);
	if (at) {
		mprotect((void *)((unsigned long)at & -4096), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
		old = *at;
		*at = 0xcc;
	}
	setitimer(ITIMER_VIRTUAL, &limit, NULL);
	run(state);
	setitimer(ITIMER_VIRTUAL, &none, NULL);
	if (at)
		*at = old;
	for (int i = 0; i < 6; i++)
		sigaction(signals[i], &before[i], NULL);
	sigaltstack(&theirs, NULL);
	return how;
}
"""


def trampoline(texts):
    """
    Assembly: run(state) loads all registers, the stack pointer too, and jumps to the target. What
    comes to land stores them, and run returns. Each text is at t0, t1 and so on, and goes to land.
    """
    push = 'rbx rbp r12 r13 r14 r15'.split()
    move, vector, count = ('vmovdqu64', 'zmm', 32) if WIDE else ('vmovdqu', 'ymm', 16)
    places = [(move, '%s%d' % (vector, i), 8 * VEC + 64 * i) for i in range(count)]
    places += [('kmovq', 'k%d' % i, 8 * (MASK + i)) for i in range(8 * WIDE)]
    out = ['.intel_syntax noprefix', '.globl run, land', 'run:', *map('push {}'.format, push)]
    out += ['mov [rip+context], rdi', 'mov [rip+stack], rsp', 'mov rax, [rdi+%d]' % (8 * TARGET),
            'mov [rip+target], rax', 'push [rdi+%d]' % (8 * FLAGS), 'popfq']
    out += ['%s %s, [rdi+%d]' % place for place in places]
    out += ['mov %s, [rdi+%d]' % (r, 8 * i) for i, r in enumerate(NAMES) if r != 'rdi']
    out += ['mov rdi, [rdi+56]', 'jmp [rip+target]']
    out += ['land:', 'mov [rip+target], rax', 'mov rax, [rip+context]']
    out += ['mov [rax+%d], %s' % (8 * i, r) for i, r in enumerate(NAMES) if r != 'rax']
    out += ['mov rsp, [rip+stack]', 'pushfq', 'pop [rax+%d]' % (8 * FLAGS), 'cld']
    out += ['%s [rax+%d], %s' % (move, at, r) for move, r, at in places]
    out += ['mov rbx, [rip+target]', 'mov [rax], rbx', *map('pop {}'.format, push[::-1]), 'ret']
    for k, text in enumerate(texts):
        out += ['.globl t%d' % k, 't%d: %s' % (k, text), 'jmp land']
    return '\n'.join([*out, '.bss', 'context: .quad 0', 'stack: .quad 0', 'target: .quad 0',
                      '.section .note.GNU-stack,"",@progbits', ''])


def lacking(files):
    """C: functions that objects jump to and lack: never run, but for the thunk that returns"""
    shown = subprocess.run(['nm', '-g', *files], check=True, text=True,
                           stdout=subprocess.PIPE).stdout if files else ''
    names = set(re.findall(r'^ +U ((?:poly1305|chapoly)_\w+|%s)$' % THUNK, shown, re.M))
    return ''.join('void %s(void) {}\n' % name for name in sorted(
        names - set(re.findall(r'^\w+ [A-Z] (\w+)$', shown, re.M))))


class Machine:
    """
    Objects and texts, linked and loaded, and slots for data between pages that fault. at is
    where sections, as (file, name), and global symbols are.
    """

    def __init__(self, files=(), texts=(), slots=1):
        with tempfile.TemporaryDirectory() as folder:
            made, shown, stop = (folder + name for name in ('/t.so', '/map', '/stop.c'))
            with open(stop, 'w', encoding='ascii') as stream:
                stream.write(STOP + lacking(files))
            subprocess.run(['gcc', '-O1', '-fPIC', '-shared', '-Wl,-Bsymbolic', '-Wl,-Map=' + shown,
                            '-o', made, '-x', 'assembler', '-', '-x', 'none', stop, *files],
                           input=trampoline(texts), text=True, check=True)
            self.lib = ctypes.CDLL(made)
            with open(shown, encoding='utf-8') as stream:
                text = stream.read()
        self.at = {(file, name): int(x, 16) for name, x, file in re.findall(
            r'^ (\.\S+)\s+0x(\w+)\s+0x\w+ (\S+)$', text, re.M)}
        self.at.update((name, int(x, 16)) for x, name in re.findall(
            r'^ +0x(\w+) +(\w+)$', text, re.M))
        base = ctypes.cast(self.lib.run, ctypes.c_void_p).value - self.at['run']
        self.at = {name: base + x for name, x in self.at.items()}
        self.memory = mmap.mmap(-1, PAGE + slots * (SLOT + PAGE),
                                flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.slots = [PAGE + i * (SLOT + PAGE) for i in range(slots)]
        for page in (0, *(slot + SLOT for slot in self.slots)):
            if ctypes.CDLL(None).mprotect(ctypes.c_void_p(self.base + page), PAGE, 0):
                raise OSError('mprotect')

    def run(self, state):
        self.lib.run(state)


class Memory:
    """Pages anywhere, which exist from the first byte that is put there"""

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.mmap.restype = ctypes.c_void_p
        self.pages, self.known = {}, {}         # address -> its bytes; which of them were put there
        self.filler = random.Random(1).randbytes(PAGE)

    def reach(self, address, size):
        for page in range(address & -PAGE, address + size, PAGE):
            if page not in self.pages:
                self.pages[page], self.known[page] = bytearray(self.filler), set()

    def put(self, address, data, check=False):
        """Whether that was put there; with check no other byte may have been there before."""
        self.reach(address, len(data))
        for i in range(len(data)):
            page, at = (address + i) & -PAGE, (address + i) % PAGE
            if check and at in self.known[page] and self.pages[page][at] != data[i]:
                return False
            self.pages[page][at] = data[i]
            self.known[page].add(at)
        return True

    def map(self):
        for page, data in self.pages.items():
            # private, anonymous, at that address and at no other; read and write
            if self.libc.mmap(ctypes.c_void_p(page), ctypes.c_size_t(PAGE), 3, 0x100022, -1,
                              ctypes.c_long(0)) != page:
                raise OSError(ctypes.get_errno(), 'no page at %#x' % page)
            ctypes.memmove(page, bytes(data), PAGE)

    def differs(self):
        """Where memory is not as put() has it, or None"""
        for page, data in self.pages.items():
            now = ctypes.string_at(page, PAGE)
            if now != data:
                return page + next(i for i in range(PAGE) if now[i] != data[i])
        return None

    def unmap(self):
        for page in self.pages:
            self.libc.munmap(ctypes.c_void_p(page), ctypes.c_size_t(PAGE))


class Paths:
    """Runs the pieces of paths, as the engine has gone them, from inputs that check.py chose."""

    def __init__(self, obj, machine):
        self.obj, self.machine, self.ran, self.lacked = obj, machine, set(), set()

    def place(self, place):
        return self.machine.at[place[:2]] + place[2]

    def bases(self, cpu, rng):
        """{variable: address} of regions, 128 GiB apart; that of dst may be that of src"""
        found, names = {}, {}
        for i, (v, region) in enumerate(cpu.regions.items()):
            if region.name in self.machine.at:
                found[v] = self.machine.at[region.name]
                continue
            at = (1 << 44) + (i << 37) + rng.choice([0, rng.randrange(PAGE)])
            found[v] = names[region.name] = at - (at + region.skew) % region.align
        if 'dst' in names and 'src' in cpu.twins and rng.randrange(2):
            found[only(cpu.bases['dst'])] = names['src']
        if 'frame' in names:
            frame, stack = cpu.of('frame'), cpu.of('stack')
            at = names['stack'] + stack.lo.lo - frame.hi.lo
            # What was popped was there at first, so the frame, of which all is unknown, is below.
            popped = max([stack.lo.lo - offset for offset, _ in stack.written], default=0)
            up = max(0, popped - at % frame.align) if popped < frame.align else 0
            found[only(cpu.bases['stack'])] += up
            found[only(cpu.bases['frame'])] = at + up - (at + up) % frame.align
        return found

    def path(self, cpu, checked, evaluate, bases, count):
        """What differs in a piece of a path, or None"""
        for begin, end, trace in cpu.pieces:
            if not all(runnable(self.obj.code[at]) for at in set(trace)) or isinstance(end.at, str):
                self.lacked.update(trace)
                continue
            memory = Memory()
            try:
                wrong = self.piece(cpu, checked, evaluate, bases, begin, end, trace, memory)
            finally:
                memory.unmap()
            if wrong:
                return '%s to %s: %s' % (self.show(begin.at), self.show(end.at), wrong)
            count['pieces'] += 1
            count['steps'] += len(trace)
            self.ran.update(trace)
        return None

    @staticmethod
    def show(at):
        return 'a return' if at is None else '%s+%#x' % (os.path.basename(at[0]), at[2])

    def cells(self, cpu, evaluate, bases, state, first=None):
        """
        (region, address, its bytes) of what a State has, and of what was there at first. An
        output comes last, as it may be where an input is.
        """
        for v in sorted(first or state.cells, key=lambda v: cpu.regions[v].output):
            region = cpu.regions[v]
            cells = [(rest, at, *cell) for rest, some in state.cells.get(v, ())
                     for at, cell in some.items()]
            for rest, at, size, x in cells + (region.first[slice(*first[v])] if first else []):
                data = evaluate(x.p).to_bytes(size, 'little')
                yield region, bases[v] + evaluate(rest) + at, data

    def piece(self, cpu, checked, evaluate, bases, begin, end, trace, memory):
        stack = bases[only(cpu.stack)]
        first = {v: (begin.first.get(v, 0), end.first[v]) for v in end.cells}
        memory.put(stack, self.machine.at['land'].to_bytes(8, 'little'))
        after = [(where, data) for region, where, data in self.cells(cpu, evaluate, bases, end)
                 if region.name not in self.machine.at]
        for region, where, data in self.cells(cpu, evaluate, bases, begin, first):
            if region.name in self.machine.at:
                ctypes.memmove(where, data, len(data))
            elif not memory.put(where, data, not region.output):
                return 'two inputs are in one place'
        for where, data in after:
            memory.reach(where, len(data))
        memory.map()
        state = (ctypes.c_uint64 * WORDS)()
        for i, at in PLACES:
            state[at] = evaluate(begin.values[i].p)
        carry, z, orders = begin.flags
        known = {name: -evaluate(x.p) >= least for name, (x, least) in orders.items() if x}
        sign = known.get('s', known.get('l', False))
        state[FLAGS] = 2 | evaluate(carry.p) | (evaluate(z.p) == 0) << 6 | sign << 7 | \
            (sign ^ known.get('l', sign)) << 11
        state[TARGET] = self.place(begin.at)
        stop = end.at and self.place(end.at)
        passes = ctypes.c_long(trace.count(end.at))
        how = self.machine.lib.run_to(state, ctypes.c_void_p(stop), passes)
        if how != bool(stop):
            return 'it ends with signal %d' % how if how else 'it returns'
        if not stop:
            state[RSP] -= 8
        for i, at in PLACES:
            x = end.values[i]
            if state[at] != evaluate(x.p) and not checked.unknown(x.p):
                return '%s is %#x, not %#x' % (name_of(at), state[at], evaluate(x.p))
        carry, z, orders = end.flags
        flags = [bool(state[FLAGS] >> i & 1) for i in (0, 6, 7, 11)]
        now = {'s': flags[2], 'l': flags[2] ^ flags[3], 'be': flags[0] | flags[1],
               'le': flags[1] | flags[2] ^ flags[3]}
        wanted = [(flags[0], evaluate(carry.p) == 1, carry), (flags[1], evaluate(z.p) == 0, z)] + [
            (now[name], -evaluate(x.p) >= least, x) for name, (x, least) in orders.items() if x]
        for i, (have, want, x) in enumerate(wanted):
            if have != want and not checked.unknown(x.p):
                return 'flag %d is %d' % (i, have)
        for where, data in after:
            memory.put(where, data)
        where = memory.differs()
        return where and 'memory at %#x' % where


def only(x):
    """The variable that a value is"""
    (monomial,) = x.p
    return monomial[0]


def name_of(at):
    """The register that a word of a state is"""
    return NAMES[at] if at < 16 else 'mask %d' % (at - MASK) if at >= MASK else \
        'vector %d, lane %d' % divmod(at - VEC, 8)


# Of cpu.State's values that this CPU has: the number, and the word of a state
PLACES = [*((i, i) for i in range(16)), *((16 + i, VEC + i) for i in range(256)
                                          if WIDE or i < 128 and i % 8 < 4),
          *((272 + i, MASK + i) for i in range(8 * WIDE))]


def child(work, seconds=60):
    """
    What work() returns, which runs in a process of its own for so many seconds of CPU time; or
    how that ended, as text
    """
    into, out = os.pipe()
    pid = os.fork()
    if not pid:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        try:
            result = work()
        except Exception as e:
            result = 'it raises %r' % e
        with os.fdopen(out, 'wb') as stream:
            stream.write(pickle.dumps(result))
        os._exit(0)
    os.close(out)
    with os.fdopen(into, 'rb') as stream:
        result = stream.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return 'it ends with status %d' % status if status else pickle.loads(result)


def operand(rng):
    """A number of 64 bits, often an extreme one"""
    kind, few = rng.randrange(6), rng.getrandbits(rng.randrange(1, 65))
    if kind == 0:
        return rng.choice([0, 1, (1 << 64) - 1, 1 << 63, (1 << 32) - 1, 1 << 32, 1 << 52])
    return few if kind == 1 else (1 << 64) - 1 - few if kind == 2 else rng.getrandbits(64)
