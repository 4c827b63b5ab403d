//! Quantiles of samples.

/// The quantile `share`, 0 to 1, of sorted values, by linear interpolation between neighbours; `None` without values.
///
/// ```
/// assert_eq!(lab::quantile(&[1.0, 2.0, 4.0, 5.0], 0.5), Some(3.0));
/// ```
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = sorted.len().checked_sub(1)? as f64 * share;
    let [low, high] = [place.floor(), place.ceil()].map(|at| sorted[at as usize]);
    Some(low + (high - low) * place.fract())
}
