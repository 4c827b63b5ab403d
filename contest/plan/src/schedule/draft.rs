//! Draws the groups of a round so that all pairs meet about equally often.

use std::collections::BTreeMap;

use super::tally::Tally;

/// Maximum number of exchanges tried for each seat. With 400, pairs of up to 32 members differ by at most two meetings
/// in a round, and 64 members take some 20 ms.
const REACH: usize = 400;

#[derive(Clone, Copy, Debug)]
pub(super) struct Draft<'a> {
    /// Number of members of a group.
    pub(super) size: usize,
    pub(super) groups: usize,
    /// Members of which each group has at least one.
    pub(super) newcomers: &'a [usize],
    /// Members that fill the other seats.
    pub(super) elders: &'a [usize],
    pub(super) newcomer_seats: usize,
}

impl Draft<'_> {
    /// The groups, all different, each in ascending order; they are counted in the tally. The numbers of seats of newcomers
    /// differ by at most one, and so do those of elders: in these groups, and in all groups drawn with the tally.
    ///
    /// First each seat goes to the member that met the group the least, among the members with the fewest seats; then pairs
    /// of seats are exchanged as long as this makes meetings more equal.
    pub(super) fn draw(&self, tally: &mut Tally) -> Vec<Vec<usize>> {
        let mut table = SeatTable::new(self.size, self.newcomers, tally);
        for group in 0..self.groups {
            // Spreads the seats of newcomers evenly over the groups.
            let until = |group| group * self.newcomer_seats / self.groups;
            let newcomers = until(group + 1) - until(group);
            table.seat(newcomers, self.newcomers);
            table.seat(self.size - newcomers, self.elders);
        }
        table.even_out();
        table.copies.into_keys().collect()
    }
}

struct SeatTable<'a> {
    size: usize,
    is_newcomer: Vec<bool>,
    tally: &'a mut Tally,
    /// The members, group after group.
    seats: Vec<usize>,
    /// The number of seats of each member.
    held: Vec<u32>,
    copies: BTreeMap<Vec<usize>, usize>,
    /// Number of surplus copies of groups.
    repeats: usize,
}

impl<'a> SeatTable<'a> {
    fn new(size: usize, newcomers: &[usize], tally: &'a mut Tally) -> Self {
        let (mut is_newcomer, held) = (vec![false; tally.members()], vec![0; tally.members()]);
        for &member in newcomers {
            is_newcomer[member] = true;
        }
        let (seats, copies) = (Vec::new(), BTreeMap::new());
        Self { size, is_newcomer, tally, seats, held, copies, repeats: 0 }
    }

    /// Gives this number of seats of the last group to some of these members.
    fn seat(&mut self, count: usize, members: &[usize]) {
        for _ in 0..count {
            let group = &self.seats[self.seats.len() / self.size * self.size..];
            let Some(next) = self.next(members, group) else { return };
            self.tally.seat(next, group);
            self.seats.push(next);
            self.held[next] += 1;
            if self.seats.len().is_multiple_of(self.size) {
                self.add_copy(self.group(self.seats.len() - 1));
            }
        }
    }

    /// The best of `members` for the next seat of a group; `None` if all are in the group.
    fn next(&self, members: &[usize], group: &[usize]) -> Option<usize> {
        let free = members.iter().copied().filter(|member| !group.contains(member));
        let seats = |member: usize| (self.held[member], self.tally.seats(member));
        let rank = |&member: &usize| {
            let met: i32 = group.iter().map(|&other| self.tally.met(member, other)).sum();
            (seats(member), met, member)
        };
        let first = free.clone().min_by_key(rank)?;
        let repeats = |member| self.copies.contains_key(&sorted(&[group, &[member]].concat()));
        if !repeats(first) {
            return Some(first);
        }
        let other = |&member: &usize| seats(member) == seats(first) && !repeats(member);
        free.filter(other).min_by_key(rank).or(Some(first))
    }

    /// Exchanges seats until no exchange improves the groups.
    fn even_out(&mut self) {
        let seats = self.seats.len();
        let mut useless = 0;
        for distance in (1..=seats / 2).cycle().take(REACH) {
            let exchanged =
                (0..seats).filter(|&seat| self.exchange(seat, (seat + distance) % seats));
            useless = if exchanged.count() == 0 { useless + 1 } else { 0 };
            if useless == seats / 2 {
                break;
            }
        }
    }

    /// Exchanges the members of two seats if this lowers the number of repeats, or makes meetings more equal. Returns
    /// `true` after an exchange.
    fn exchange(&mut self, x: usize, y: usize) -> bool {
        let loss = match self.loss(x, y) {
            Some(loss) if loss < 0 || self.repeats > 0 => loss,
            _ => return false,
        };
        let (before, repeats) = ([self.group(x), self.group(y)], self.repeats);
        self.seats.swap(x, y);
        let after = [self.group(x), self.group(y)];
        self.replace(&before, &after);
        let has_newcomer =
            |group: &Vec<usize>| group.iter().any(|&member| self.is_newcomer[member]);
        let is_better = (self.repeats, loss) < (repeats, 0) && after.iter().all(has_newcomer);
        if is_better {
            for group in &before {
                self.tally.scatter(group);
            }
            for group in &after {
                self.tally.gather(group);
            }
        } else {
            self.seats.swap(x, y);
            self.replace(&after, &before);
        }
        is_better
    }

    /// Growth of the inequality of meetings by an exchange; `None` for an impossible exchange.
    fn loss(&self, x: usize, y: usize) -> Option<i32> {
        let (a, b) = (self.seats[x], self.seats[y]);
        let (of_a, of_b) = (self.neighbours(x), self.neighbours(y));
        let can_be = a != b && !of_a.contains(&b) && !of_b.contains(&a);
        // A member of both groups meets the same members after the exchange as before.
        let loss = |goes, comes, of: &[usize], others: &[usize]| -> i32 {
            let changed = of.iter().filter(|&other| *other != goes && !others.contains(other));
            changed.map(|&beside| self.tally.loss(goes, comes, beside)).sum()
        };
        can_be.then(|| loss(a, b, of_a, of_b) + loss(b, a, of_b, of_a))
    }

    /// The members of the group of a seat, in the order of seats.
    fn neighbours(&self, seat: usize) -> &[usize] {
        let first = seat / self.size * self.size;
        &self.seats[first..first + self.size]
    }

    /// The group of a seat, in ascending order.
    fn group(&self, seat: usize) -> Vec<usize> {
        sorted(self.neighbours(seat))
    }

    fn replace(&mut self, old: &[Vec<usize>], new: &[Vec<usize>]) {
        for group in old {
            match self.copies.get_mut(group) {
                Some(copies) if *copies > 1 => {
                    *copies -= 1;
                    self.repeats -= 1;
                }
                _ => drop(self.copies.remove(group)),
            }
        }
        for group in new {
            self.add_copy(group.clone());
        }
    }

    fn add_copy(&mut self, group: Vec<usize>) {
        let copies = self.copies.entry(group).or_default();
        *copies += 1;
        self.repeats += usize::from(*copies > 1);
    }
}

fn sorted(group: &[usize]) -> Vec<usize> {
    let mut group = group.to_vec();
    group.sort_unstable();
    group
}
