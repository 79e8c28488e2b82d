//! `GET /`: the page of what can be asked for.

use crate::client::{Connection, Response};
use crate::feed_files::{FeedFiles, feed, feed_of_routes, small_feed, write_folder};
use crate::server::Server;

/// The targets that the page links to, which every one must answer with 200.
fn follow_all_links(files: &FeedFiles) -> (Response, Vec<String>) {
    let folder = write_folder(files);
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let page = connection.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let links: Vec<String> =
        page.text().split("href='").skip(1).map(|rest| rest.split('\'').next().unwrap().to_owned()).collect();
    for link in &links {
        println!("following {link:?}");
        assert!(link.starts_with('/'), "{link:?} is a path from the root");
        assert_eq!(connection.get(link).status, 200, "{link}");
    }
    (page, links)
}

#[test]
fn every_link_of_the_page_works() {
    let (page, links) = follow_all_links(&small_feed());
    for endpoint in ["/routes", "/feed", "/healthz", "/readyz", "/schedules/Red"] {
        assert!(links.iter().any(|link| link == endpoint), "{endpoint} is not among {links:?}");
    }
    assert!(page.text().contains("/schedules/{route_id}"));
}

#[test]
fn every_link_works_with_hostile_ids() {
    let route_ids = ["a'b", "\"", "<b>", "a/b", "..", "%41", "?", "#", "é 🚋", "&amp;", "a\nb"];
    let (page, links) = follow_all_links(&feed_of_routes(&route_ids));
    assert!(links.len() > route_ids.len(), "every route is linked to: {links:?}");
    assert!(!page.text().contains("<b>"), "an id is text, not markup");
}

#[test]
fn what_the_feed_says_is_text_and_not_markup() {
    let (page, _) = follow_all_links(&feed(&[
        (
            "routes.txt",
            "route_id,route_short_name,route_color,route_text_color\n\
             R,<script>alert(1)</script>,x'><b>,\"'\"\"<b>\"\nS,' onclick='alert(1),00ff00,ffffff\n",
        ),
        ("trips.txt", "route_id,service_id,trip_id\nR,week,r\nS,week,s\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nr,8:00:00,8:00:00,a,1\n"),
    ]));
    for markup in ["<script", "<b>", "' onclick"] {
        assert!(!page.text().contains(markup), "{markup} came through");
    }
    assert!(page.text().contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.text().contains("#00ff00"), "a colour that is one is used");
}

#[test]
fn the_command_names_the_host_that_the_client_asked() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    println!("the client of the tests calls it linespeed");
    assert!(connection.get("/").text().contains("'http://linespeed/schedules/Red'"));
    for (head, command) in [
        ("GET / HTTP/1.1\r\nHost: [::1]:4000\r\n", "'http://[::1]:4000/schedules/Red'"),
        ("GET http://transit.example/ HTTP/1.1\r\nHost: x\r\n", "'http://transit.example/schedules/Red'"),
        ("GET / HTTP/1.1\r\nHost: $(b)\r\n", "<code>/schedules/Red</code>"),
        ("GET / HTTP/1.1\r\nHost: a';rm\r\n", "<code>/schedules/Red</code>"),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n", "<code>/schedules/Red</code>"),
    ] {
        connection.send(format!("{head}\r\n").as_bytes());
        let page = connection.read_response("GET");
        assert!(page.text().contains(command), "{head:?}: {}", page.text());
    }
}

#[test]
fn a_feed_without_trips_has_a_page_whose_links_work() {
    let stop_times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n";
    let trips = "route_id,service_id,trip_id\n";
    println!("a route without trips");
    let routes = "route_id\nR\n";
    follow_all_links(&feed(&[("routes.txt", routes), ("trips.txt", trips), ("stop_times.txt", stop_times)]));
    println!("no route at all");
    follow_all_links(&feed(&[("trips.txt", trips), ("stop_times.txt", stop_times)]));
}

#[test]
fn the_built_in_city_has_a_page_whose_links_work() {
    let server = Server::start_with([""; 0]);
    let mut connection = Connection::open(&server);
    let page = connection.get("/");
    println!("the route that the help has as its example");
    assert_eq!(connection.get("/schedules/T1").status, 200);
    let links = page.text().split("href='").skip(1).map(|rest| rest.split('\'').next().unwrap());
    assert!(links.map(|link| assert_eq!(connection.get(link).status, 200, "{link}")).count() > 5);
}
