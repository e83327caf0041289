# SPDX-License-Identifier: GPL-2.0 OR MIT
"""This CPU: object code, run from any state of the registers, in a process of its own"""

import ctypes
import mmap
import os
import pickle
import re
import resource
import subprocess
import tempfile

from cpu import NAMES

# The words of a state: general registers, flags, where to begin, vectors, masks, memory
FLAGS, TARGET, VEC, MASK, MEM, WORDS = 16, 17, 24, 24 + 256, 288, 288 + 16
SLOT, PAGE = 1 << 16, 1 << 12


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


class Machine:
    """
    Objects and texts, linked and loaded, and slots for data between pages that fault. at is
    where sections, as (file, name), and global symbols are.
    """

    def __init__(self, files=(), texts=(), slots=1):
        with tempfile.TemporaryDirectory() as folder:
            made, shown = folder + '/t.so', folder + '/map'
            subprocess.run(['gcc', '-shared', '-Wl,-Bsymbolic', '-Wl,-Map=' + shown, '-o', made,
                            '-x', 'assembler', '-', '-x', 'none', *files],
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
