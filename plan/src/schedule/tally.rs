//! Counts of meetings.

/// Number of meetings of each two members, and of seats of each, over all rounds of a design.
///
/// Meetings of the round that is being drawn count twice, so that a round is even in itself, and not
/// only together with those before it.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    members: usize,
    /// Row after row: how often the two met.
    met: Vec<i32>,
    seats: Vec<i32>,
}

/// Weight of a meeting of the round that is being drawn; one of an earlier round counts 1.
const NOW: i32 = 2;

impl Tally {
    /// No meetings yet. Members are numbers below `members`.
    pub(super) fn new(members: usize) -> Self {
        Self { members, met: vec![0; members * members], seats: vec![0; members] }
    }

    /// Members are numbers below this.
    pub(super) fn members(&self) -> usize {
        self.members
    }

    /// Number of meetings of the two.
    pub(super) fn met(&self, a: usize, b: usize) -> i32 {
        self.met[a * self.members + b]
    }

    /// Number of its seats.
    pub(super) fn seats(&self, member: usize) -> i32 {
        self.seats[member]
    }

    /// Decrease of the inequality of meetings with `comes` in the place of `goes` beside a third one: half of
    /// what the squares of all meetings and those of the meetings of this round grow by.
    pub(super) fn loss(&self, goes: usize, comes: usize, beside: usize) -> i32 {
        self.met(comes, beside) - self.met(goes, beside) + NOW
    }

    /// One more is seated beside these, in the round that is being drawn.
    pub(super) fn seat(&mut self, member: usize, beside: &[usize]) {
        self.seats[member] += 1;
        for &other in beside {
            self.count(member, other, NOW);
        }
    }

    /// A group meets in the round that is being drawn.
    pub(super) fn gather(&mut self, group: &[usize]) {
        self.count_all(group, NOW);
    }

    /// A group does not meet after all.
    pub(super) fn scatter(&mut self, group: &[usize]) {
        self.count_all(group, -NOW);
    }

    /// A group of the round that was being drawn is one of an earlier round now.
    pub(super) fn age(&mut self, group: &[usize]) {
        self.count_all(group, 1 - NOW);
    }

    /// Turns everything round: what is drawn from here on is what does not take place.
    pub(super) fn negate(&mut self) {
        self.met.iter_mut().chain(&mut self.seats).for_each(|count| *count = -*count);
    }

    fn count_all(&mut self, group: &[usize], weight: i32) {
        for (index, &a) in group.iter().enumerate() {
            for &b in &group[index + 1..] {
                self.count(a, b, weight);
            }
        }
    }

    fn count(&mut self, a: usize, b: usize, weight: i32) {
        self.met[a * self.members + b] += weight;
        self.met[b * self.members + a] += weight;
    }
}
