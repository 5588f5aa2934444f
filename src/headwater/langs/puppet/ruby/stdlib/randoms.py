"""Random with a seed: Ruby's Mersenne Twister.  Chance without a seed is refused."""

from __future__ import annotations

import random
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import ARRAY, KERNEL, OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.array_changes import changing
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Native,
    Range,
    RubyValue,
    bytes_text,
    symbol,
)

RANDOM: Final = define("Random", OBJECT)
module("Random::Formatter")
module("SecureRandom")
NO_SEED: Final = "chance without a seed (rand, shuffle, sample, SecureRandom)"
_MASK: Final = 0xFFFFFFFF


def _state(seed: int) -> list[int]:
    """The state that a seed of one word gives; Python makes that of longer ones alike."""
    state = [seed]
    for place in range(1, 624):
        before = state[-1]
        state.append((1812433253 * (before ^ before >> 30) + place) & _MASK)
    return state


class Twister(Native):
    """``Random.new(seed)``"""

    __slots__ = ("seed", "source")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.source = random.Random(abs(seed))
        if abs(seed) <= _MASK:
            self.source.setstate((3, (*_state(abs(seed)), 624), None))

    def real(self) -> float:
        """A number from 0 up to 1."""
        return self.source.random()

    def below(self, most: int) -> int:
        """An integer from 0 up to, and without, another."""
        limit = most - 1
        if limit == 0:
            return 0
        mask = (1 << limit.bit_length()) - 1
        words = range((limit.bit_length() + 31) // 32 - 1, -1, -1)
        if limit < 1 << 64:
            words = range(1, -1, -1)
        while True:
            value, bounded = 0, True
            for word in words:
                part = mask >> (word * 32) & _MASK
                if not part:
                    continue
                got = self.source.getrandbits(32) & part
                value |= got << (word * 32)
                if limit < 1 << 64:
                    if limit < value:
                        break
                elif bounded:
                    edge = limit >> (word * 32) & _MASK
                    if got > edge:
                        break
                    bounded = got == edge
            else:
                return value


OF_TYPE[Twister] = RANDOM


def seeded(m: Machine) -> Twister:
    """The twister of ``srand``; there is none before."""
    found = m.globals.get("srand")
    if found is None:
        raise Beyond(NO_SEED)
    assert found.__class__ is Twister
    return found


def _seed(m: Machine, value: Given) -> int:
    if value is UNDEFINED:
        raise Beyond(NO_SEED)
    return to.integer(m, value)


@own_method(RANDOM, "new")
def new(m: Machine, self: Class, seed: Given = UNDEFINED) -> RubyValue:
    return Twister(_seed(m, seed))


@own_method(RANDOM, "srand")
@method(KERNEL, "srand")
def srand(m: Machine, self: RubyValue, seed: Given = UNDEFINED) -> RubyValue:
    made = Twister(_seed(m, seed))
    before = m.globals.get("srand")
    m.globals["srand"] = made
    # The seed before the first one is one that nobody chose: nobody may look at it.
    return None if before is None else before.seed


@own_method(RANDOM, "rand")
def rand_of_all(m: Machine, self: Class, limit: Given = UNDEFINED) -> RubyValue:
    return rand(m, seeded(m), limit)


@own_method(RANDOM, "bytes")
def bytes_of_all(m: Machine, self: Class, count: RubyValue) -> RubyValue:
    return bytes_(m, seeded(m), count)


@own_method(RANDOM, "seed", "new_seed", "urandom")
def seed_of_all(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    raise Beyond(NO_SEED)


def _wrong(m: Machine, limit: RubyValue) -> Exception:
    return m.error("ArgumentError", f"invalid argument - {m.text(limit)}")


@method(RANDOM, "rand")
def rand(m: Machine, self: Twister, limit: Given = UNDEFINED) -> RubyValue:
    if limit is UNDEFINED:
        return self.real()
    if limit is None:
        raise _wrong(m, limit)
    if limit.__class__ is float:
        if limit <= 0 or limit != limit:
            raise _wrong(m, limit)
        return self.real() * limit
    if limit.__class__ is Range:
        made = _within(m, self, limit)
        if made is None:
            raise _wrong(m, limit)
        return made
    most = to.integer(m, limit)
    if most <= 0:
        raise _wrong(m, limit)
    return self.below(most)


def _within(m: Machine, twister: Twister, limit: Range) -> RubyValue:
    """A number of a range; None where the range is empty."""
    low, high = limit.low, limit.high
    if low is None or high is None:
        raise Beyond("rand of an endless range")
    if low.__class__ is int and high.__class__ is int:
        size = high - low + (not limit.exclusive)
        return None if size <= 0 else low + twister.below(size)
    if low.__class__ not in (int, float) or high.__class__ not in (int, float):
        raise Beyond("rand of such a range")
    low, high = float(low), float(high)
    if high < low or (limit.exclusive and high == low):
        return None
    if limit.exclusive:
        return twister.real() * (high - low) + low
    return _closed(twister) * (high - low) + low


def _closed(twister: Twister) -> float:
    """A number from 0 to 1, both included, as Ruby makes it of two words."""
    a, b = twister.source.getrandbits(32), twister.source.getrandbits(32)
    number = (a << 32) | b
    made = (number * ((1 << 53) + 1)) >> 64
    return float(made) * 2.0**-53


@method(RANDOM, "bytes")
def bytes_(m: Machine, self: Twister, count: RubyValue) -> RubyValue:
    size = to.integer(m, count)
    m.check_size(size)
    m.spend(size)
    data = b""
    while len(data) < size:
        data += self.source.getrandbits(32).to_bytes(4, "little")
    return bytes_text(data[:size])


@method(RANDOM, "seed")
def seed(m: Machine, self: Twister) -> int:
    return self.seed


@method(RANDOM, "==")
def equal(m: Machine, self: Twister, other: RubyValue) -> bool:
    return (
        other.__class__ is Twister
        and self.seed == other.seed
        and self.source.getstate() == other.source.getstate()
    )


@method(KERNEL, "rand")
def kernel_rand(m: Machine, self: RubyValue, limit: Given = UNDEFINED) -> RubyValue:
    twister = seeded(m)
    if limit is UNDEFINED or limit is None:
        return twister.real()
    if limit.__class__ is Range:
        return _within(m, twister, limit)
    most = abs(to.integer(m, limit))
    return twister.below(most) if most else twister.real()


# arrays in another order


def _chosen(m: Machine, options: Given) -> Twister:
    if not isinstance(options, Hash):
        return seeded(m)
    found = options.get(symbol("random"))
    if found.__class__ is Twister:
        return found
    if found is RANDOM or found is None:
        return seeded(m)
    raise Beyond("an own source of chance")


def _shuffled(twister: Twister, found: list[Any]) -> list[Any]:
    made = list(found)
    for place in range(len(made), 0, -1):
        other = twister.below(place)
        made[place - 1], made[other] = made[other], made[place - 1]
    return made


@method(ARRAY, "shuffle")
def shuffle(m: Machine, self: list[Any], options: Given = UNDEFINED) -> list[Any]:
    m.spend(len(self))
    return _shuffled(_chosen(m, options), self)


@method(ARRAY, "shuffle!")
def shuffle_bang(m: Machine, self: list[Any], options: Given = UNDEFINED) -> RubyValue:
    made = shuffle(m, self, options)
    changing(m, self)
    self[:] = made
    return self


@method(ARRAY, "sample")
def sample(
    m: Machine, self: list[Any], count: Given = UNDEFINED, options: Given = UNDEFINED
) -> RubyValue:
    if isinstance(count, Hash):
        count, options = UNDEFINED, count
    twister = _chosen(m, options)
    if count is UNDEFINED:
        return self[twister.below(len(self))] if self else None
    size = to.integer(m, count)
    if size < 0:
        raise m.error("ArgumentError", "negative sample number")
    m.spend(len(self))
    return _sampled(twister, self, min(size, len(self)))


def _sampled(twister: Twister, found: list[Any], size: int) -> list[Any]:
    """So many elements, chosen in the way Ruby chooses for that number."""
    total = len(found)
    if size == 0:
        return []
    if size == 1:
        return [found[twister.below(total)]]
    if size <= 3:
        indices = [twister.below(total - turn) for turn in range(size)]
        if indices[1] >= indices[0]:
            indices[1] += 1
        if size == 3:
            low, high = sorted(indices[:2])
            if indices[2] >= low:
                indices[2] += 1
                if indices[2] >= high:
                    indices[2] += 1
        return [found[place] for place in indices]
    if size <= 10:
        chosen: list[int] = []
        taken: list[int] = []
        for turn in range(size):
            place = twister.below(total - turn)
            at = 0
            while at < len(taken) and place >= taken[at]:
                place += 1
                at += 1
            taken.insert(at, place)
            chosen.append(place)
        return [found[place] for place in chosen]
    made = list(found)
    for turn in range(size):
        other = turn + twister.below(total - turn)
        made[turn], made[other] = made[other], made[turn]
    return made[:size]
