//! Combinations of members, and their number.

/// Number of groups of `size` among `members`; saturates at `u64::MAX`.
pub(super) fn binomial(members: usize, size: usize) -> u64 {
    let members = members as u128;
    let grown = (0..size as u128).try_fold(1_u128, |groups, taken| {
        Some(groups.checked_mul(members.saturating_sub(taken))? / (taken + 1))
    });
    grown.and_then(|groups| u64::try_from(groups).ok()).unwrap_or(u64::MAX)
}

/// All groups of `size` of these members, in lexicographic order of their places.
pub(super) fn combinations(members: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut groups = Vec::new();
    for (index, &first) in members.iter().enumerate() {
        for mut rest in combinations(&members[index + 1..], size - 1) {
            rest.insert(0, first);
            groups.push(rest);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_listed_in_order() {
        assert_eq!(combinations(&[1, 5, 7], 2), [[1, 5], [1, 7], [5, 7]]);
        assert_eq!(combinations(&[1, 5], 3), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn the_list_is_as_long_as_the_count() {
        for members in 0..10 {
            for size in 0..6 {
                let listed = combinations(&(0..members).collect::<Vec<_>>(), size);
                assert_eq!(listed.len() as u64, binomial(members, size), "{size} of {members}");
            }
        }
    }

    #[test]
    fn counts_saturate() {
        assert_eq!(binomial(200, 4), 64_684_950);
        assert_eq!(binomial(usize::MAX, 4), u64::MAX);
    }
}
