//! The figures beside their goals: as a table to read, as Markdown to keep, as JSON lines for machines.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::json;

use crate::goals::{Goal, Outcome, Unit};
use crate::machine::Machine;

/// What stands under each table.
const CAVEAT: &str = "Absolute times are noisy on shared machines: up to 2x for wall time, a quarter for CPU time. \
                      Compare the ratios, which come from one run. 1 MB is 10^6 bytes.";

/// One figure and its goal.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// What was measured.
    pub(crate) what: String,
    /// The figure; `None` when it could not be measured, and `detail` says why.
    pub(crate) value: Option<f64>,
    /// The unit of the figure and of the goal.
    pub(crate) unit: Unit,
    /// What the figure is held against.
    pub(crate) goal: Goal,
    /// Where the figure comes from: runs, spread, the parts of a ratio.
    pub(crate) detail: String,
}

impl Row {
    /// How the figure stands to its goal.
    pub(crate) fn outcome(&self) -> Outcome {
        self.value.map_or(Outcome::NotMeasured, |value| self.goal.judge(value))
    }

    fn cells(&self) -> [String; 5] {
        [
            self.what.clone(),
            self.value.map_or_else(|| "–".to_owned(), |value| self.unit.display(value)),
            self.goal.display(self.unit),
            self.outcome().display().to_owned(),
            self.detail.clone(),
        ]
    }
}

/// All rows of a run. What it ran on is known at its end, and told to whoever writes it out.
#[derive(Debug, Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Adds what `measure` finds. When it fails, the reason stands in the report, and the other parts go on.
    pub(crate) fn add(&mut self, part: &str, measure: impl FnOnce() -> anyhow::Result<Vec<Row>>) {
        eprintln!("measuring: {part}");
        match measure() {
            Ok(rows) => self.rows.extend(rows),
            Err(error) => {
                let detail = format!("{error:#}");
                eprintln!("NOT measured: {part}: {detail}");
                self.rows.push(Row {
                    what: part.to_owned(),
                    value: None,
                    unit: Unit::Seconds,
                    goal: Goal::Stated,
                    detail,
                });
            }
        }
    }

    /// Whether every goal was measured and reached.
    pub(crate) fn all_reached(&self) -> bool {
        self.rows.iter().all(|row| matches!(row.outcome(), Outcome::Reached | Outcome::Stated))
    }

    /// The table for a terminal.
    pub(crate) fn to_text(&self, machine: &Machine) -> String {
        let header = ["what", "figure", "goal", "outcome", "from"].map(str::to_owned);
        let table: Vec<[String; 5]> = std::iter::once(header).chain(self.rows.iter().map(Row::cells)).collect();
        let widths: [usize; 4] =
            std::array::from_fn(|column| table.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0));
        let mut text = String::new();
        for cells in &table {
            for (cell, width) in cells.iter().zip(widths) {
                let _ = write!(text, "{cell:width$}  ");
            }
            let _ = writeln!(text, "{}", cells[4]);
        }
        let _ = write!(text, "\n{}", footer(machine));
        text
    }

    /// The table for a document.
    pub(crate) fn to_markdown(&self, machine: &Machine) -> String {
        let mut text = "| what | figure | goal | outcome | from |\n| --- | --- | --- | --- | --- |\n".to_owned();
        for row in &self.rows {
            let cells = row.cells().map(|cell| cell.replace('|', "\\|").replace('\n', " "));
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        let _ = write!(text, "\n{}", footer(machine));
        text
    }

    /// One line for the machine, then one for each row.
    pub(crate) fn to_json_lines(&self, machine: &Machine) -> String {
        let rows = self.rows.iter().map(|row| {
            json!({
                "what": row.what,
                "value": row.value,
                "unit": row.unit.name(),
                "goal": row.goal.display(row.unit),
                "outcome": row.outcome(),
                "detail": row.detail,
            })
        });
        let lines = std::iter::once(json!({ "machine": machine })).chain(rows);
        lines.map(|line| format!("{line}\n")).collect()
    }

    /// Writes `report.md` and `report.jsonl` into `folder`.
    pub(crate) fn write(&self, machine: &Machine, folder: &Path) -> anyhow::Result<()> {
        for (name, text) in [("report.md", self.to_markdown(machine)), ("report.jsonl", self.to_json_lines(machine))] {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn footer(machine: &Machine) -> String {
    let Machine { processor, cores, kernel, date, load_average, .. } = machine;
    let mut text = format!(
        "Measured on {date}: {processor}, {cores} cores, Linux {kernel}, load average {load_average:.2} before.\n"
    );
    if let Some(warning) = machine.warning() {
        let _ = writeln!(text, "{warning}");
    }
    let _ = writeln!(text, "{CAVEAT}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine {
            processor: "Some CPU".to_owned(),
            cores: 2,
            kernel: "6.1".to_owned(),
            date: "2024-02-29".to_owned(),
            load_average: 1.5,
            cores_of_others: 0.7,
            cores_stolen: 0.0,
        }
    }

    fn report() -> Report {
        let mut report = Report::default();
        report.add("start", || {
            Ok(vec![Row {
                what: "start to first right answer".to_owned(),
                value: Some(0.1),
                unit: Unit::Seconds,
                goal: Goal::AtMost(0.12),
                detail: "median of 3".to_owned(),
            }])
        });
        report
    }

    #[test]
    fn a_row_shows_figure_goal_and_outcome() {
        let report = report();
        assert!(report.all_reached());
        let row = "| start to first right answer | 0.100 s | ≤ 0.12 s | reached | median of 3 |\n";
        assert!(report.to_markdown(&machine()).contains(row), "{}", report.to_markdown(&machine()));
        assert!(report.to_text(&machine()).contains("0.100 s  ≤ 0.12 s  reached"), "{}", report.to_text(&machine()));
    }

    #[test]
    fn a_part_that_fails_stands_in_the_report_with_its_reason() {
        let mut report = report();
        report.add("gzip", || Err(anyhow::anyhow!("expected encoding Gzip").context("route 1")));
        assert!(!report.all_reached());
        assert!(report.to_markdown(&machine()).contains("NOT measured | route 1: expected encoding Gzip |"));
    }

    #[test]
    fn each_json_line_stands_for_itself() {
        let text = report().to_json_lines(&machine());
        let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["machine"]["cores"], 2);
        assert_eq!(lines[1]["outcome"], "reached");
        assert_eq!(lines[1]["value"], 0.1);
    }

    #[test]
    fn a_busy_machine_is_warned_of_with_the_remedy() {
        assert!(report().to_text(&machine()).contains("other programs kept 0.7 cores busy"));
        assert!(machine().warning().is_some_and(|warning| warning.contains("Stop them or wait, then run it again")));
        assert_eq!(Machine { cores_of_others: 0.05, ..machine() }.warning(), None);
    }
}
