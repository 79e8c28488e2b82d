//! Which crates of ours may depend on which, and what a leaf may not stand on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, NodeDep, PackageId};

use crate::leaf_sources::breaches_of_leaf_sources;
use crate::{assert_none, assert_one, files_below, place, repository};

/// A crate of the workspace and the ones of ours that it may depend on, for its tests too.
struct Member {
    name: &'static str,
    kind: Kind,
    may_use: &'static [&'static str],
    reason: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Bytes in, bytes out: no clock, socket, file, process or async runtime.
    Leaf,
    /// Does what it likes with the machine.
    Program,
}

/// The arrows of the design; a crate that joins the workspace must get its row here.
///
/// By the design `live` will use `timetable` only, `broker` and `measurements` are leaves that use none, `linespeed`
/// uses them all, and `race` uses none.
const MEMBERS: [Member; 3] = [
    Member {
        name: "timetable",
        kind: Kind::Leaf,
        may_use: &[],
        reason: "a leaf can be tested, fuzzed and simulated with bytes in and bytes out",
    },
    Member {
        name: "linespeed",
        kind: Kind::Program,
        may_use: &["timetable"],
        reason: "the program owns sockets, files, clocks and threads, and wires the leaves together",
    },
    Member {
        name: "bench",
        kind: Kind::Program,
        may_use: &[],
        reason: "code shared with what it measures would hide a shared mistake",
    },
];

/// Crates that a leaf may not depend on, by itself or through others.
const WORLD_CRATES: [&str; 12] = [
    "async-std",
    "axum",
    "hyper",
    "hyper-util",
    "memmap2",
    "mio",
    "reqwest",
    "rusqlite",
    "smol",
    "socket2",
    "tokio",
    "ureq",
];

/// A dependency of one workspace member on another, and where it is declared.
struct Arrow {
    from: String,
    to: String,
    place: String,
}

fn breaches_of_arrows(arrows: &[Arrow], members: &[Member]) -> Vec<String> {
    let is_allowed = |arrow: &&Arrow| {
        members.iter().any(|member| member.name == arrow.from && member.may_use.contains(&arrow.to.as_str()))
    };
    let reason =
        |name: &str| members.iter().find(|member| member.name == name).map_or("it has no row", |row| row.reason);
    let breach = |Arrow { from, to, place }: &Arrow| {
        format!("{place}: {from} depends on {to}, and {}; pass what it needs as bytes or through a trait", reason(from))
    };
    arrows.iter().filter(|arrow| !is_allowed(arrow)).map(breach).collect()
}

/// `found` are the crates of the workspace: name -> place of its manifest.
fn breaches_of_membership(found: &BTreeMap<String, String>, members: &[Member]) -> Vec<String> {
    let named: BTreeSet<&str> = members.iter().map(|member| member.name).collect();
    let without_row = found.iter().filter(|(name, _)| !named.contains(name.as_str())).map(|(name, place)| {
        format!("{place}: {name} has no row in MEMBERS of {}: add one with what it may use, and why", file!())
    });
    let without_crate = named.iter().filter(|name| !found.contains_key(**name)).map(|name| {
        format!("{}: MEMBERS has a row for {name}, which is no crate of the workspace: remove the row", file!())
    });
    without_row.chain(without_crate).collect()
}

/// `chains` are the ways from a leaf to each crate that it stands on: place of its manifest, names from the leaf on.
fn breaches_of_leaf_dependencies(chains: &[(String, Vec<String>)]) -> Vec<String> {
    let is_world =
        |(_, chain): &&(String, Vec<String>)| chain.last().is_some_and(|last| WORLD_CRATES.contains(&last.as_str()));
    let breach = |(place, chain): &(String, Vec<String>)| {
        format!("{place}: a leaf opens nothing, but {}; let the server do this part", chain.join(" -> "))
    };
    chains.iter().filter(is_world).map(breach).collect()
}

/// Asked for this machine only: the packages of other systems need not be here.
fn metadata() -> Metadata {
    let options = ["--locked", "--filter-platform", "host-tuple"].map(str::to_owned);
    MetadataCommand::new().manifest_path(repository().join("Cargo.toml")).other_options(options).exec().unwrap()
}

/// Where a manifest names a dependency: path and line.
fn declaration(manifest: &Path, dependency: &str) -> String {
    let text = fs::read_to_string(manifest).unwrap();
    let is_declaration = |line: &str| {
        line.trim_start_matches('"').strip_prefix(dependency).is_some_and(|rest| rest.starts_with([' ', '.', '=', '"']))
    };
    let line = text.lines().position(is_declaration).map_or(1, |position| position + 1);
    format!("{}:{line}", place(manifest))
}

fn arrows(metadata: &Metadata) -> Vec<Arrow> {
    let ours: BTreeSet<String> = metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    let mut arrows = Vec::new();
    for package in metadata.workspace_packages() {
        for dependency in package.dependencies.iter().filter(|dependency| ours.contains(&dependency.name)) {
            let place = declaration(package.manifest_path.as_std_path(), &dependency.name);
            arrows.push(Arrow { from: package.name.to_string(), to: dependency.name.clone(), place });
        }
    }
    arrows
}

/// The shortest chain of normal dependencies from a package to each one that it stands on, and where it begins.
fn chains(metadata: &Metadata, member: &str) -> Vec<(String, Vec<String>)> {
    let package = metadata.workspace_packages().into_iter().find(|package| package.name == member).unwrap();
    let nodes: BTreeMap<&PackageId, _> =
        metadata.resolve.iter().flat_map(|resolve| &resolve.nodes).map(|node| (&node.id, node)).collect();
    let mut seen = BTreeSet::from([&package.id]);
    let mut next = VecDeque::from([(&package.id, vec![member.to_owned()])]);
    let mut chains = Vec::new();
    while let Some((id, chain)) = next.pop_front() {
        let is_normal =
            |dependency: &&NodeDep| dependency.dep_kinds.iter().any(|info| info.kind == DependencyKind::Normal);
        for dependency in nodes[id].deps.iter().filter(is_normal) {
            if seen.insert(&dependency.pkg) {
                let longer: Vec<String> =
                    chain.iter().cloned().chain([metadata[&dependency.pkg].name.to_string()]).collect();
                chains.push((declaration(package.manifest_path.as_std_path(), &longer[1]), longer.clone()));
                next.push_back((&dependency.pkg, longer));
            }
        }
    }
    chains
}

#[test]
fn the_arrows_between_the_crates_are_those_of_the_design() {
    let metadata = metadata();
    let found = metadata
        .workspace_packages()
        .iter()
        .map(|package| (package.name.to_string(), place(package.manifest_path.as_std_path())))
        .collect();
    assert_none(&breaches_of_membership(&found, &MEMBERS));
    let arrows = arrows(&metadata);
    assert!(arrows.iter().any(|arrow| arrow.from == "linespeed" && arrow.to == "timetable"), "no arrows are seen");
    assert_none(&breaches_of_arrows(&arrows, &MEMBERS));
}

#[test]
fn leaves_use_no_clock_socket_file_or_async_runtime() {
    let metadata = metadata();
    for leaf in MEMBERS.iter().filter(|member| member.kind == Kind::Leaf) {
        let package = metadata.workspace_packages().into_iter().find(|package| package.name == leaf.name).unwrap();
        let sources = files_below(package.manifest_path.parent().unwrap().join("src").as_std_path(), ".rs");
        assert!(!sources.is_empty(), "{} has sources", leaf.name);
        assert_none(&breaches_of_leaf_sources(&sources));
        assert_none(&breaches_of_leaf_dependencies(&chains(&metadata, leaf.name)));
    }
    println!("the program stands on what leaves must not, so chains are seen through");
    assert!(!breaches_of_leaf_dependencies(&chains(&metadata, "linespeed")).is_empty());
}

#[test]
fn an_arrow_that_is_not_in_the_design_is_seen() {
    let arrow =
        |from: &str, to: &str| Arrow { from: from.to_owned(), to: to.to_owned(), place: "Cargo.toml:9".to_owned() };
    assert_none(&breaches_of_arrows(&[arrow("linespeed", "timetable")], &MEMBERS));
    assert_one(
        &breaches_of_arrows(&[arrow("timetable", "linespeed")], &MEMBERS),
        "Cargo.toml:9",
        &["timetable depends on"],
    );
    assert_one(&breaches_of_arrows(&[arrow("bench", "timetable")], &MEMBERS), "Cargo.toml:9", &["shared mistake"]);
    assert_one(&breaches_of_arrows(&[arrow("new", "timetable")], &MEMBERS), "Cargo.toml:9", &["no row"]);
}

#[test]
fn a_crate_without_a_row_and_a_row_without_a_crate_are_seen() {
    let mut found: BTreeMap<_, _> = MEMBERS.iter().map(|member| (member.name.to_owned(), String::new())).collect();
    assert_none(&breaches_of_membership(&found, &MEMBERS));
    found.insert("new".to_owned(), "new/Cargo.toml".to_owned());
    assert_one(&breaches_of_membership(&found, &MEMBERS), "new/Cargo.toml", &["add"]);
    found.remove("new");
    found.remove("bench");
    assert_one(&breaches_of_membership(&found, &MEMBERS), file!(), &["bench", "remove"]);
}

#[test]
fn a_runtime_behind_another_crate_of_a_leaf_is_seen() {
    let chain = |names: &[&str]| ("Cargo.toml:7".to_owned(), names.iter().map(|name| (*name).to_owned()).collect());
    assert_none(&breaches_of_leaf_dependencies(&[chain(&["timetable", "csv-core"])]));
    let breaches =
        breaches_of_leaf_dependencies(&[chain(&["timetable", "client"]), chain(&["timetable", "client", "mio"])]);
    assert_one(&breaches, "Cargo.toml:7", &["timetable -> client -> mio"]);
}
