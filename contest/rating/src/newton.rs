//! Newton's method for the maximum of the likelihood.

use super::games::STAGE;
use super::plackett_luce::{Model, PRIOR_DEVIATION, Weights};

/// The precision of the prior, in the unit of the stages.
const PRIOR_PRECISION: f64 = STAGE as f64 / (PRIOR_DEVIATION * PRIOR_DEVIATION);

/// Newton's method stops when no strength moves by more than this, in nats.
const TOLERANCE: f64 = 1e-9;

/// Maximum absolute value of a strength, in nats, so that no odds overflow.
const FARTHEST: f64 = 300.0;

/// Newton's method on the logarithm of the likelihood.
///
/// Each step is halved until it shrinks the gradient, which costs no logarithms. The prior keeps the curvature away from
/// 0, so this always succeeds, and the steps converge to the maximum.
#[derive(Debug)]
pub(super) struct Newton<'a> {
    model: &'a Model,
    odds: Vec<f64>,
    trial: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    /// The negative Hessian, row by row; only its diagonal and the entries above are used.
    curvature: Vec<f64>,
}

impl<'a> Newton<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let zeros = vec![0.0; model.players];
        let curvature = vec![0.0; model.players * model.players];
        let [odds, trial, gradient, step] = [(); 4].map(|()| zeros.clone());
        Self { model, odds, trial, gradient, step, curvature }
    }

    /// Moves the strengths to the maximum of the likelihood, under a prior around these means. The mean of all means must be
    /// 0; the mean of all strengths stays 0.
    pub(super) fn maximise(&mut self, weights: &Weights, means: &[f64], strengths: &mut [f64]) {
        self.trial.copy_from_slice(strengths);
        let mut slope = self.differentiate(weights, means);
        loop {
            self.step.copy_from_slice(&self.gradient);
            solve(&mut self.curvature, &mut self.step);
            centre(&mut self.step, |_| true);
            let longest = self.step.iter().fold(0.0_f64, |longest, by| longest.max(by.abs()));
            let mut share = 1.0;
            loop {
                for ((trial, from), by) in self.trial.iter_mut().zip(&*strengths).zip(&self.step) {
                    *trial = from + share * by;
                }
                if share * longest <= TOLERANCE {
                    strengths.copy_from_slice(&self.trial);
                    return;
                }
                let next = self.differentiate(weights, means);
                if next <= slope * (1.0 - share / 4.0) {
                    slope = next;
                    break;
                }
                share /= 2.0;
            }
            strengths.copy_from_slice(&self.trial);
        }
    }

    /// The inverse of the curvature at these strengths, in square nats, row by row.
    pub(super) fn covariance(mut self, weights: &Weights, strengths: &[f64]) -> Vec<f64> {
        let players = self.model.players;
        self.trial.copy_from_slice(strengths);
        self.differentiate(weights, strengths);
        let mut inverse = vec![0.0; players * players];
        for (player, row) in inverse.chunks_mut(players.max(1)).enumerate() {
            // Weights count in 24ths.
            row[player] = f64::from(STAGE);
            solve(&mut self.curvature.clone(), row);
        }
        inverse
    }

    /// Computes the gradient and the curvature at the trial strengths; returns the length of the gradient, or infinity if a
    /// strength is out of range.
    fn differentiate(&mut self, weights: &Weights, means: &[f64]) -> f64 {
        let players = self.model.players;
        self.curvature.fill(0.0);
        for (player, mean) in means.iter().enumerate() {
            let strength = self.trial[player];
            self.odds[player] = strength.exp();
            self.gradient[player] = weights.games[player] - PRIOR_PRECISION * (strength - mean);
            self.curvature[player * players + player] = PRIOR_PRECISION;
        }
        for (set, &weight) in self.model.sets.iter().zip(&weights.left) {
            if weight == 0.0 {
                continue;
            }
            let members = set.teams();
            let total: f64 = members.iter().map(|&player| self.odds[player]).sum();
            for (place, &player) in members.iter().enumerate() {
                let next = self.odds[player] / total;
                self.gradient[player] -= weight * next;
                let row = &mut self.curvature[player * players..][..players];
                row[player] += weight * next;
                for &other in &members[place..] {
                    row[other] -= weight * next * self.odds[other] / total;
                }
            }
        }
        let in_range = self.trial.iter().all(|strength| strength.abs() < FARTHEST);
        let slope = self.gradient.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
        if in_range { slope } else { f64::INFINITY }
    }
}

/// Subtracts from all numbers the mean of those that count, or of all if none counts.
pub(super) fn centre(numbers: &mut [f64], counts: impl Fn(usize) -> bool) {
    let counted: Vec<f64> = (0..numbers.len()).filter(|&i| counts(i)).map(|i| numbers[i]).collect();
    let counted = if counted.is_empty() { numbers.to_vec() } else { counted };
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2⁵² players")]
    let mean = counted.iter().sum::<f64>() / counted.len() as f64;
    for number in numbers {
        *number -= mean;
    }
}

/// Solves `matrix · x = right` for a symmetric positive definite matrix, of which only the diagonal and the entries
/// above it are read. Overwrites the right side with x, and the matrix with its Cholesky factor, row after row, which
/// compilers make fast.
fn solve(matrix: &mut [f64], right: &mut [f64]) {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut((pivot + 1) * size);
        let row = &mut above[pivot * size + pivot..];
        let root = row[0].sqrt();
        for entry in &mut *row {
            *entry /= root;
        }
        right[pivot] /= root;
        for (ahead, &factor) in row.iter().enumerate().skip(1).filter(|(_, entry)| **entry != 0.0) {
            right[pivot + ahead] -= factor * right[pivot];
            let target = &mut below[(ahead - 1) * size..][pivot + ahead..size];
            for (to, entry) in target.iter_mut().zip(&row[ahead..]) {
                *to -= factor * entry;
            }
        }
    }
    for pivot in (0..size).rev() {
        let row = &matrix[pivot * size..][..size];
        let known: f64 = (pivot + 1..size).map(|column| row[column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / row[pivot];
    }
}
