//! Counts of meetings.

/// Numbers of meetings of pairs and of seats of members, over all rounds of a design.
///
/// Meetings of the round being drawn count twice, so that each round is balanced by itself, and not only together with
/// the rounds before it.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    members: usize,
    /// Number of meetings of each pair, row-major.
    met: Vec<i32>,
    seats: Vec<i32>,
}

/// Weight of a meeting of the round being drawn; meetings of earlier rounds have weight 1.
const NOW: i32 = 2;

impl Tally {
    /// A tally without meetings. Members are numbers below `members`.
    pub(super) fn new(members: usize) -> Self {
        Self { members, met: vec![0; members * members], seats: vec![0; members] }
    }

    /// The exclusive upper bound of member numbers.
    pub(super) fn members(&self) -> usize {
        self.members
    }

    /// Weighted number of meetings of two members.
    pub(super) fn met(&self, a: usize, b: usize) -> i32 {
        self.met[a * self.members + b]
    }

    pub(super) fn seats(&self, member: usize) -> i32 {
        self.seats[member]
    }

    /// Growth of the inequality of meetings if `comes` replaces `goes` beside a third member: half the growth of the sum of
    /// squares of all meetings and of the meetings of this round.
    pub(super) fn loss(&self, goes: usize, comes: usize, beside: usize) -> i32 {
        self.met(comes, beside) - self.met(goes, beside) + NOW
    }

    /// Seats a member beside these members, in the round being drawn.
    pub(super) fn seat(&mut self, member: usize, beside: &[usize]) {
        self.seats[member] += 1;
        for &other in beside {
            self.count(member, other, NOW);
        }
    }

    /// Counts the meetings of a group in the round being drawn.
    pub(super) fn gather(&mut self, group: &[usize]) {
        self.count_all(group, NOW);
    }

    /// Takes back the meetings of a group.
    pub(super) fn scatter(&mut self, group: &[usize]) {
        self.count_all(group, -NOW);
    }

    /// Turns the meetings of a drawn group into meetings of an earlier round.
    pub(super) fn age(&mut self, group: &[usize]) {
        self.count_all(group, 1 - NOW);
    }

    /// Negates all counts, to draw the groups that are left out instead of those that are played.
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
