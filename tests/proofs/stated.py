# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
The contracts above the functions of assembly: what the blocks of comment there say, strictly.

    PROTOTYPE;
    (prose)
    in:        a register and a name for each argument; what only callers in the file pass
    requires:  clauses. Those with < or <= are bounds of an argument, or of a word of h. Of any two
               pointers, one of which is written to, one says whether they may overlap.
    reads:     ARGUMENT[from, to), ARGUMENT->member, ARGUMENT->member[from, to), or a variable of C
    writes:    likewise; a bound after "with" holds afterwards
    returns:   registers, and what they hold
    clobbers:  registers that are not as before; callee-saved ones that are not named here are
    wipes:     registers and memory without a secret at a return; "or what FUNCTION wipes" after a
               jump to that function; "leaves" names registers that may hold a secret
    stack:     bytes below the return address, at most; "array [from, to)" of the frame, from the
               stack pointer at its lowest on: where other registers point, and indices
    features:  of the CPU, by the kernel's names

A remark in parentheses is for readers. "-" is nothing.
"""

import collections
import functools
import itertools
import re

from cpu import NAMES as GENERAL
from values import const

FIELDS = 'in requires reads writes returns clobbers wipes stack features'.split()
WIDE = {i: (name, 'e' + name[1:], name[1:]) if i < 8 else (name, name + 'd', name + 'b')
        for i, name in enumerate(GENERAL)}              # views of 64, 32 and, from r8 on, 8 bits
ABI = [WIDE[i] for i in (7, 6, 2, 1, 8, 9)]
WIDTHS = {'u32': 1, 'bool': 2}                          # of other types, 64 bits
KINDS = {'r': 16, 'xmm': 16, 'ymm': 16, 'zmm': 32, 'k': 8}
SIZES = {'u8': 1, 'u32': 4, 'u64': 8}
BLOCK = re.compile(r'^/\*\n((?: \*(?:[ \t].*)?\n)*?) \*/\n', re.M)
FIELD = re.compile(r'^ ?(\w+):(?: +|$)', re.M)
NAME = r'[A-Za-z_]\w*'
# What `requires` may say in words, besides pairs of places, of functions that C calls. A proof
# takes no more for granted, and no less.
WORDS = [(name, re.compile(text)) for name, text in (
    ('aligned', r'(\w+) is aligned to (\d+) bytes'),
    ('multiple', r'(\w+) is a multiple of (\d+)'),
    ('multiples of r', r'(?:unless (rounds = 0(?: or WITH_KEY)?), )?frame->mac has r, clamped, '
                       r'q1 = 5 r1 / 4 and s0 = 5 r0|mac->q1 = 5 r1 / 4, mac->s0 = 5 r0'),
    ('a key', r'mac->key (?:is|has) r, clamped, and s'),
    ('an end', r'mac->end has 48 zeros and the lengths'),
    ('a state', r'state as poly1305_core.h allows'),
    ('powers', r'if have_powers is not 0, pow has the powers'))]
# What it may say of two places, of which the second has these names and ends. One is apart from the
# other; or it is that or apart from it; or apart, or at a distance under a condition; or it may
# overlap the other, as it is written after the last read.
Pair = collections.namedtuple('Pair', 'how one other text at given more')


class Wrong(ValueError):
    """A block is not in the form, or says what is not so."""


def need(holds, text):
    if not holds:
        raise Wrong(text)


def number(text):
    """10, 2^31 or 2^63.1, which is rounded down"""
    found = re.fullmatch(r'(?:2\^)?(\d+(\.\d+)?)', text)
    need(found, 'no number: ' + text)
    return int(2 ** float(found[1])) if found[2] else \
        1 << int(found[1]) if text[:2] == '2^' else int(text)


def parts(text, separators):
    """What stands between separators, outside of brackets"""
    found, depth, part = [], 0, ''
    for c in text:
        depth += (c in '[(') - (c in '])')
        if c in separators and not depth:
            found.append(part.strip())
            part = ''
        else:
            part += c
    need(not depth, 'brackets: ' + text)
    return [] if text == '-' else found + [part.strip()]


def split(text):
    """a, b and c"""
    return parts(re.sub(' and | or ', ', ', text.strip()), ',')


def registers(items):
    """[(kind, number)] of a list of registers, of which none is there twice"""
    found = []
    for item in items:
        ends = item.split('-')
        need(len(ends) <= 2, 'no registers: ' + item)
        places = []
        for name in ends:
            kind, digits = re.fullmatch(r'([a-z]*?)(\d*)', name).groups() if \
                re.fullmatch(r'[a-z]+\d*', name) else (None, '')
            place = ('r', GENERAL.index(name)) if name in GENERAL else (kind, int(digits)) if \
                digits and str(int(digits)) == digits and int(digits) < KINDS.get(kind, 0) and \
                kind != 'r' else (name, 0) if name == 'flags' else None
            need(place, 'no register: ' + name)
            places.append(place)
        (kind, first), (same, last) = places[0], places[-1]
        need(kind == same and (len(ends) == 1 or first < last), 'no registers: ' + item)
        found += [(kind, i) for i in range(first, last + 1)]
    need(len(set(found)) == len(found), 'a register twice: ' + ', '.join(items))
    return found


def bounds(clauses):
    """{name: (least, most)} of the clauses with < or <="""
    found = {}
    for clause in clauses:
        words = re.split(r' (<=?) ', ' ' + clause + ' ')
        words = [word.strip() for word in words]
        if len(words) == 1:
            need(not re.search('[<>]', clause.replace('->', '')), 'no bound: ' + clause)
            continue
        if len(words) == 3:
            words = words + [None] * 2 if words[0][0].isdigit() else [None] * 2 + words
        need(len(words) == 5, 'no bound: ' + clause)
        least, above, name, below, most = words
        need(name not in found, 'a bound twice: ' + clause)
        found[name] = (number(least) + (above == '<') if least else 0,
                       number(most) - (below == '<' and '.' not in most) if most else None)
    return found


class Sources:
    """The blocks of all files of assembly in a tree, and what C says of their arguments"""

    def __init__(self, top):
        self.headers = [path.read_text('ascii') for path in sorted(
            [*top.glob('*.h'), *top.glob('arch/x86/*.h'), *top.glob('chapoly/*.[ch]')])]
        text = '\n'.join(self.headers)
        self.numbers = dict(re.findall(r'^#define\s+(\w+)\s+(\w+)\b', text, re.M))
        self.structs = {name: (members, int(align or 1)) for name, members, align in re.findall(
            r'^struct (\w+) \{\n(.*?)^\}(?: __aligned\((\d+)\))?', text, re.M | re.S)}
        self.blocks = {}
        for path in sorted([*top.glob('arch/x86/poly1305-*.S'), *top.glob('chapoly/*.S')]):
            text = path.read_text('ascii')
            starts = re.findall(r'^SYM_\w*START\w*\((\w+)\)', text, re.M)
            for m in BLOCK.finditer(text):
                lines = [line[2:].expandtabs(8) for line in m[1].split('\n')[:-1]]
                if any(re.match(r' (%s):' % '|'.join(FIELDS), line) for line in lines):
                    block = Stated('\n'.join(lines), self)
                    need(re.findall(r'^SYM_\w*START\w*\((\w+)\)', text[m.end():], re.M)[:1] ==
                         [block.name], block.name + ': another function follows its block')
                    need(block.name not in self.blocks, block.name + ': another block')
                    self.blocks[block.name] = block
            for name in starts:
                need(name in self.blocks, name + ': it has no block')
        self.compare(' '.join(' '.join(self.headers).split()))

    def compare(self, headers):
        """
        C declares the functions as their blocks do, or by a type of function. What it says of such
        a type says which arguments are apart.
        """
        types = dict(re.findall(r'typedef void \((\w+)\)(\(.*?\);)', headers))
        kinds = {'void %s%s' % (name, types[kind]): kind for kind in types
                 for names in re.findall(r'(?<!\w)%s (\w[\w, ]*);' % kind, headers)
                 for name in names.split(', ')}
        for block in self.blocks.values():
            kind = kinds.get(block.prototype)
            need(block.inside or kind or ' %s ' % block.prototype in headers,
                 block.name + ': C has another prototype, or none')
            if kind:
                said = re.findall(r'%s \* -+ (.*?) (?:-{5}|\*/)' % kind, headers)
                said = {x for text in said for x in re.findall(
                    r'[^.;:]*\b(?:apart|overlap)\b[^.;:]*', text.replace(' * ', ' '))}
                need({x.strip() for x in said} == {pair.text for pair in block.pairs.values()},
                     block.name + ': C says otherwise which arguments are apart')

    def number(self, text):
        while text in self.numbers:
            text = self.numbers[text]
        return int(text, 0)

    def size(self, dimensions):
        size = 1
        for factor in re.findall(r'\w+', dimensions):
            size *= self.number(factor)
        return size

    @functools.cache
    def layout(self, name):
        """{member, or a.b: (offset, size)} of a structure; its size; its alignment"""
        need(name in self.structs, 'struct %s is not known' % name)
        members, alignment = self.structs[name]
        found, at = {}, 0
        for line in re.sub(r'/\*.*?\*/', '', members, flags=re.S).split(';'):
            m = re.fullmatch(r'\s*(?:struct )?(\w+)\s+(.*?)(?:\s+__aligned\((\d+)\))?\s*',
                             line, re.S)
            if not m:
                need(not line.strip(), 'struct %s: %s' % (name, line))
                continue
            inside, size, align = ({}, SIZES[m[1]], SIZES[m[1]]) if m[1] in SIZES else \
                self.layout(m[1])
            align = int(m[3] or align)
            alignment = max(alignment, align)
            for member in m[2].split(','):
                member, dimensions = re.fullmatch(r'\s*(\w+)(.*)', member).groups()
                at += -at % align
                whole = size * self.size(dimensions)
                found[member] = at, whole
                found.update({member + '.' + x: (at + o, n) for x, (o, n) in inside.items()})
                at += whole
        return found, at + -at % alignment, alignment


class Stated:
    """What one block says"""

    def __init__(self, text, sources):
        self.sources = sources
        m = re.match(r'( .*?\);)\n\n', text, re.S)
        self.name = '?'
        need(m, 'no prototype: ' + text.split('\n')[0])
        self.prototype = ' '.join(m[1].split())
        m2 = re.fullmatch(r'(static )?void (\w+)\((.*)\);', self.prototype)
        need(m2, 'no prototype: ' + self.prototype)
        self.inside, self.name = bool(m2[1]), m2[2]
        try:
            self.read(m2[3], text[m.end():])
        except Wrong as e:
            raise Wrong('%s: %s' % (self.name, e)) from e

    def read(self, arguments, text):
        self.arguments = {}     # name -> (type, whether it points, whether to what is const)
        for argument in arguments.split(', ') if arguments != 'void' else ():
            m = re.fullmatch(r'(const )?((?:struct )?\w+) (\*?)(\w+)(\[\w+\])?', argument)
            need(m, 'no argument: ' + argument)
            self.arguments[m[4]] = m[2], bool(m[3] or m[5]), bool(m[1])
        found = [(m[1], m.start(), m.end()) for m in FIELD.finditer(text)]
        need([name for name, _, _ in found] == FIELDS, 'its fields are ' + ' '.join(
            name for name, _, _ in found))
        ends = [start for _, start, _ in found[1:]] + [(text + '\n\n').index('\n\n', found[-1][2])]
        field = {name: ' '.join(text[at:end].split())
                 for (name, _, at), end in zip(found, ends)}
        self.conditions = dict(re.findall(r'([\w.>-]+(?:\[[^)]*\))?) \(if ([^)]*)\)',
                                          field['reads'] + ', ' + field['writes']))
        field = {name: re.sub(r'\s*\([^()]*\)', '', x) for name, x in field.items()}
        need(all(field.values()), 'a field is empty')
        self.read_in(parts(field['in'], ',;'))
        self.pairs = {}
        self.bounds = bounds(parts(field['requires'], ',;'))
        for name in self.bounds:
            self.place(name)
        self.words = self.read_words(field['requires'])
        writes, _, after = field['writes'].partition(' with ')
        self.reads, self.variables = self.regions(field['reads'])
        for name in self.variables:
            need(any('extern bool %s;' % name in text for text in self.sources.headers),
                 'no bool of C: ' + name)
        self.writes, _ = self.regions(writes)
        self.all_pairs()
        results, _, holds = field['returns'].partition(':')
        results = registers(parts(results, ','))
        need(bool(results) == bool(holds) and (self.inside or not results), 'returns')
        after = after or holds.partition(' with ')[2]
        after = parts(after, ',') if after else ()
        self.after = bounds(after)
        need(len(self.after) == len(after) and self.after.keys() <= {'h[2]'}, 'a bound afterwards')
        need(all(self.bounds[name] == self.after['h[2]'] for name in self.bounds
                 if name.endswith('h[2]') and self.after), 'another bound of h[2] afterwards')
        self.clobbers = set(registers(parts(field['clobbers'], ',')))
        self.read_wipes(field['wipes'], results)
        stack, *self.array = re.fullmatch(r'(.*?)(?:; array \[(\w+), (\w+)\))?',
                                          field['stack']).groups()
        self.stack = number(stack)
        self.features = set(parts(field['features'], ','))
        need(all(re.fullmatch('[A-Z][A-Z0-9_]+', f) for f in self.features), 'features')

    def read_words(self, text):
        """{name of a form of words: what it is about} of what is required, but bounds and pairs"""
        found, left = {}, []
        for clause in parts(text, ';') if not self.inside else ():
            if '<' not in clause.replace('->', '') and clause != '-':
                clause = self.read_pairs(clause)
                left += [clause] if clause else []
                for name, form in WORDS:
                    found.update((name, m.groups()) for m in form.finditer(clause))
                    clause = form.sub('', clause)
                need(not clause.strip(' ,'), 'these words are not read: ' + clause)
            elif clause != '-':
                left.append(clause)
        self.clauses = left         # without what they say of pairs
        return found

    def read_pairs(self, clause):
        """Read what a clause says of pairs of places; what it says besides"""
        given, text = re.match(r'(?:if (\w+), )?(.*)', clause).groups()
        m = re.fullmatch(r'(\w+) is apart from (\w+), or \1 = \2 ([-+] \d+) and (\w+ = \d+)', text)
        if m:
            self.pair('shifted', m[1], m[2], clause, given, m.groups()[2:])
            return ''
        subject, left = '', []
        for part in re.split(r', and (?=apart|may|\w+ from )', text):
            m = re.fullmatch(r'(?:(?!apart|may)(.*?) )?(?:(?:is |are )?((?:apart )?from|\w+ or '
                             r'apart from it)|(may overlap))( .*)?', part)
            if not m:
                left.append(part)
                subject = part.split(' ')[0]
                continue
            subject = m[1] or subject
            how = 'overlaps' if m[3] else 'same' if m[2].endswith('it') else 'apart'
            for one in split(subject):
                for other in split(m[4]) if m[4] else [m[2].split(' ')[0]]:
                    self.pair(how, one, other, clause, given)
        need(not left or not given, 'a condition of what? ' + clause)
        return ', '.join(left)

    def pair(self, how, one, other, clause, given, more=()):
        """One of a pair is an argument, the other is an argument, too, or a part of a structure."""
        m = re.fullmatch(r'the members of (\w+) before (\w+)|(\w+)\[0, (\w+)\)', other)
        name = m[1] or m[3] if m else other
        for x in (one, name):
            need(self.arguments.get(x, ('', False))[1], 'no pointer: ' + x)
        ends = None
        if m:
            ends = 0, self.member(name, m[2])[0] if m[2] else self.sources.number(m[4])
        need(not given or given in self.arguments, 'no argument: %s' % given)
        need(one != name and frozenset((one, name)) not in self.pairs, 'a pair twice: ' + clause)
        self.pairs[frozenset((one, name))] = Pair(how, one, name, clause, (other, ends), given,
                                                  more)

    def all_pairs(self):
        """Each pair that could matter is named. What depends on a condition is used then only."""
        pointers = [name for name, (_, pointer, _) in self.arguments.items() if pointer]
        for pair in itertools.combinations(pointers, 2):
            need(not self.writes.keys() & set(pair) or frozenset(pair) in self.pairs,
                 'may these overlap? %s and %s' % pair)
        for pair in self.pairs.values():
            uses = ['%s[%s, %s)' % (pair.one, *ends) for of in (self.reads, self.writes)
                    for ends in of.get(pair.one, ())]
            need(not pair.given or {self.conditions.get(use) for use in uses} == {pair.given},
                 'it is used otherwise, too: ' + pair.text)

    def alignment(self, name):
        """That of what an argument points to, in C"""
        kind = self.arguments[name][0]
        return self.sources.layout(kind.split()[1])[2] if ' ' in kind else SIZES.get(kind, 1)

    def read_in(self, items):
        """General registers: of arguments as the ABI has them, or any inside a file"""
        self.names = {}
        if not self.inside:
            need(items == [ABI[i][0 if pointer else WIDTHS.get(kind, 0)] + ' ' + name for i, (
                name, (kind, pointer, _)) in enumerate(self.arguments.items())], 'in: arguments')
        for item in items:
            *register, name = item.split(' ')
            need(re.fullmatch(NAME, name) and name not in self.names and len(register) < 2,
                 'in: ' + item)
            for register in register:
                wide = {name: i for i, names in WIDE.items() for name in names}.get(register)
                if wide is not None:
                    self.names[name] = wide
                else:
                    registers([register])

    def read_wipes(self, text, results):
        """Registers, memory, functions whose word holds after a jump, and what may hold a secret"""
        text, _, left = text.partition('; leaves ')
        self.results = [n for _, n in results]
        self.leaves = results + registers(parts(left, ',') if left else ())
        items = parts(text, ',')
        self.jumps = {m[1] for m in (re.fullmatch(r'or what (\w+) wipes', x) for x in items) if m}
        items = [x for x in items if not x.startswith('or what ')]
        self.wipes = registers(x for x in items if re.fullmatch(r'[a-z0-9-]+', x))
        self.wiped, _ = self.regions(', '.join(
            x for x in items if not re.fullmatch(r'[a-z0-9-]+', x) and x != 'the frame') or '-')
        need(set(self.wipes) <= self.clobbers, 'it wipes what it does not clobber')

    def regions(self, text):
        """{argument: [(from, to)]}, which are texts, and variables of C"""
        found, variables = {}, set()
        for item in parts(text, ',;'):
            m = re.fullmatch(r'(\w+)(?:->([\w.]+))?(?:\[(.+), (.+)\))?', item)
            need(m, 'no place in memory: ' + item)
            name, member, lo, hi = m.groups()
            if name in self.sources.numbers or name not in self.names:
                need(not member and lo is None, 'no argument: ' + item)
                variables.add(name)
                continue
            kind = self.arguments.get(name, ('', True))
            need(kind[1], 'no pointer: ' + item)
            at = size = None
            if member:
                at, size = self.member(name, member)
                need(lo is None or number(lo) < number(hi) <= size, 'not in the member: ' + item)
                lo, hi = (at, at + size) if lo is None else (at + number(lo), at + number(hi))
            need(lo is not None, 'how many bytes? ' + item)
            found.setdefault(name, []).append((str(lo), str(hi)))
        return found, variables

    def place(self, name):
        """What a bound is for: (argument, offset of a word that it points to, or None)"""
        m = re.fullmatch(r'(\w+)->([\w.]+)\[(\d+)\]', name)
        need(m or all(x in self.names for x in name.split(' + ')), 'no argument: ' + name)
        return (m[1], self.member(m[1], m[2])[0] + 8 * int(m[3])) if m else (name, None)

    def member(self, name, member):
        """The offset and size of a member of what an argument points to"""
        kind, pointer, _ = self.arguments.get(name, ('', False, False))
        need(pointer and kind.startswith('struct '), 'no structure: ' + name)
        layout, _, _ = self.sources.layout(kind.split()[1])
        need(member in layout, 'no member %s of %s' % (member, kind))
        return layout[member]

    def bits(self, name):
        """How wide an argument is in its register"""
        return {'u32': 32, 'bool': 8}.get(self.arguments.get(name, ('',))[0], 64)


def evaluate(ctx, text, values, number_of):
    """The value of a sum of products, such as 16 nblocks"""
    total = ctx.add()
    for sign, term in re.findall(r'(^|[+-] )([^+-]+)', text):
        x = const(1)
        for factor in term.split():
            x = ctx.mul(x, values[factor] if factor in values else const(
                int(factor) if factor.isdigit() else number_of(factor)))
        total = ctx.minus(total, x) if sign == '- ' else ctx.add(total, x)
    return total


@functools.cache
def sources(top):
    """The blocks of a tree"""
    return Sources(top)
