//! The order of the groups of a round.

/// The same groups in waves: the groups of a wave have no member in common, and can be played at the same time. Each
/// wave starts with the members that have played the least so far, so that at any time all have played about equally.
pub(super) fn in_waves(mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let members = groups.iter().flatten().max().map_or(0, |max| max + 1);
    let mut played = vec![0_u32; members];
    let mut waves = Vec::with_capacity(groups.len());
    while !groups.is_empty() {
        groups.sort_by_cached_key(|group| {
            let played = group.iter().map(|&member| played[member]);
            (played.clone().max(), played.sum::<u32>())
        });
        let mut is_playing = vec![false; members];
        groups.retain(|group| {
            let is_free = !group.iter().any(|&member| is_playing[member]);
            if is_free {
                for &member in group {
                    is_playing[member] = true;
                }
                waves.push(group.clone());
            }
            !is_free
        });
        played.iter_mut().zip(is_playing).for_each(|(played, is)| *played += u32::from(is));
    }
    waves
}

#[cfg(test)]
mod tests {
    use super::super::combinations::combinations;
    use super::*;

    #[test]
    fn nobody_waits_for_long() {
        for teams in 4..=9 {
            let groups = combinations(&(0..teams).collect::<Vec<_>>(), 4);
            let mut played = vec![0_u32; teams];
            for group in in_waves(groups) {
                for &team in &group {
                    played[team] += 1;
                }
                let (least, most) = (played.iter().min().unwrap(), played.iter().max().unwrap());
                assert!(most - least <= 2, "{teams} teams: {played:?}");
            }
        }
    }

    #[test]
    fn nothing_is_lost() {
        let groups = combinations(&[1, 3, 4, 6, 8], 3);
        let mut waves = in_waves(groups.clone());
        assert_ne!(waves, groups);
        waves.sort_unstable();
        assert_eq!(waves, groups);
        assert_eq!(in_waves(Vec::new()), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn those_who_can_play_at_the_same_time_do() {
        let groups = vec![vec![0, 1], vec![0, 2], vec![1, 3], vec![2, 3], vec![4]];
        let waves = [vec![0, 1], vec![2, 3], vec![4], vec![0, 2], vec![1, 3]];
        assert_eq!(in_waves(groups), waves);
    }
}
