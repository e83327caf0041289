# SPDX-License-Identifier: GPL-2.0 OR MIT
"""This CPU: object code in memory, run from any state of the registers, in a process of its own"""

import ctypes
import mmap
import os
import pickle
import re
import resource
import subprocess
import tempfile

from elftools.elf.elffile import ELFFile

from cpu import NAMES

# Where a state has flags, the place to run, vectors, masks; general registers are from 0 on
FLAGS, TARGET, VEC, MASK, STATE = 128, 136, 192, 192 + 2048, 192 + 2048 + 64
SLOT, PAGE = 1 << 16, 1 << 12


def cpu_info():
    with open('/proc/cpuinfo', encoding='ascii') as stream:
        fields = dict(re.findall(r'^(.*?)\s*: (.*)$', stream.read().split('\n\n')[0], re.M))
    return '%s, family %s, model %s, stepping %s' % tuple(
        fields[k] for k in ('model name', 'cpu family', 'model', 'stepping')), \
        set(fields['flags'].split())


CPU, HAS = cpu_info()
WIDE = {'avx512f', 'avx512ifma', 'avx512bw', 'avx512dq', 'avx512vl', 'avx512_vbmi2'} <= HAS


def runnable(text):
    """Whether this CPU has an instruction"""
    if re.search(r'zmm|\{|\bk[0-7]\b|[xy]mm(1[6-9]|2\d|3[01])|52[lh]uq', text):
        return WIDE
    name = text.split()[0]
    if re.match(r'mulx|rorx|shrx|bzhi', name):
        return 'bmi2' in HAS
    return 'ymm' not in text and name[0] != 'v' or 'avx2' in HAS


def library(texts=()):
    """
    run(state) loads all registers, the stack pointer too, and jumps to state's target. What comes
    to land stores them, and run returns. Each text is at t0, t1 and so on, and goes to land.
    """
    push = 'rbx rbp r12 r13 r14 r15'.split()
    move, vector, count = ('vmovdqu64', 'zmm', 32) if WIDE else ('vmovdqu', 'ymm', 16)
    places = [(move, '%s%d' % (vector, i), VEC + 64 * i) for i in range(count)]
    places += [('kmovq', 'k%d' % i, MASK + 8 * i) for i in range(8 * WIDE)]
    out = ['.intel_syntax noprefix', '.globl run', '.globl land', 'run:']
    out += ['push ' + r for r in push]
    out += ['mov [rip+context], rdi', 'mov [rip+stack], rsp', 'push qword ptr [rdi+%d]' % TARGET,
            'pop [rip+target]', 'push qword ptr [rdi+%d]' % FLAGS, 'popfq']
    out += ['%s %s, [rdi+%d]' % place for place in places]
    out += ['mov %s, [rdi+%d]' % (r, 8 * i) for i, r in enumerate(NAMES) if r != 'rdi']
    out += ['mov rdi, [rdi+56]', 'jmp [rip+target]']
    out += ['land:', 'mov [rip+target], rax', 'mov rax, [rip+context]']
    out += ['mov [rax+%d], %s' % (8 * i, r) for i, r in enumerate(NAMES) if r != 'rax']
    out += ['mov rsp, [rip+stack]', 'pushfq', 'pop qword ptr [rax+%d]' % FLAGS, 'cld']
    out += ['%s [rax+%d], %s' % (move, at, r) for move, r, at in places]
    out += ['mov rbx, [rip+target]', 'mov [rax], rbx'] + ['pop ' + r for r in reversed(push)]
    out += ['ret']
    for k, text in enumerate(texts):
        out += ['.globl t%d' % k, 't%d: %s' % (k, text), 'jmp land']
    out += ['.data', 'context: .quad 0', 'stack: .quad 0', 'target: .quad 0',
            '.section .note.GNU-stack,"",@progbits', '']
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/t.s', 'w', encoding='ascii') as stream:
            stream.write('\n'.join(out))
        subprocess.run(['gcc', '-shared', '-Wl,-Bsymbolic', '-o', folder + '/t.so',
                        folder + '/t.s'], check=True)
        return ctypes.CDLL(folder + '/t.so')


def address(lib, name):
    return ctypes.cast(getattr(lib, name), ctypes.c_void_p).value


class Image:
    """
    Object files in memory, as a linker would place them, and slots for data between pages that
    fault. at: (file, section) and names of global symbols -> address
    """

    def __init__(self, files, slots):
        size, end = 1 << 19, 0
        self.memory = memory = mmap.mmap(-1, size + slots * (SLOT + PAGE) + PAGE, prot=7,
                                         flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        self.slots = [size + PAGE + i * (SLOT + PAGE) for i in range(slots)]
        for page in (size, *(slot + SLOT for slot in self.slots)):
            if ctypes.CDLL(None).mprotect(ctypes.c_void_p(self.base + page), PAGE, 0):
                raise OSError('mprotect')
        self.at, fields = {}, []
        for file in files:
            with open(file, 'rb') as stream:
                elf = ELFFile(stream)
                sections = [s for s in elf.iter_sections() if s['sh_flags'] & 2]
                for s in sections:
                    end = -(-end // 64) * 64
                    memory[end:end + s['sh_size']] = s.data()
                    self.at[file, s.name] = self.base + end
                    end += s['sh_size']
                symbols = [(s, isinstance(s['st_shndx'], int) and self.at.get(
                    (file, elf.get_section(s['st_shndx']).name), 0) + s['st_value'])
                    for s in elf.get_section_by_name('.symtab').iter_symbols()]
                self.at.update((s.name, x) for s, x in symbols
                               if x and s['st_info']['bind'] == 'STB_GLOBAL')
                for s in sections:
                    table = elf.get_section_by_name('.rela' + s.name)
                    fields += [(self.at[file, s.name] + r['r_offset'], r, *symbols[r['r_info_sym']])
                               for r in (table.iter_relocations() if table else ())]
        for where, r, symbol, x in fields:
            x = (x or self.at[symbol.name]) + r['r_addend']
            absolute = {1: True, 2: False, 4: False}[r['r_info_type']]  # 64, PC32, PLT32
            x, n = (x, 8) if absolute else (x - where, 4)
            where -= self.base
            memory[where:where + n] = (x % (1 << 8 * n)).to_bytes(n, 'little')


def child(work, seconds=60):
    """
    What work() returns, which runs in a process of its own for so many seconds of CPU time; or
    how that process ended, as text
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
            pickle.dump(result, stream)
            stream.flush()
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
