"""Ids by name: remembered only where a name has one id and no more."""

import duckdb

from results.facts.dimensions import Names


def test_the_id_of_a_provider_is_remembered_and_those_of_a_run_are_looked_up() -> None:
    with duckdb.connect() as connection:
        for table in ("providers", "runs"):
            connection.execute(f"CREATE TABLE {table} AS SELECT 7 AS id, 'red' AS name")
        names = Names()
        asked = ["red", "blue", "red"]
        before = [names.ids(connection, table, asked) for table in ("providers", "runs")]
        for table in ("providers", "runs"):
            connection.execute(f"INSERT INTO {table} VALUES (8, 'red'), (9, 'blue')")
        after = [sorted(names.ids(connection, table, asked)) for table in ("providers", "runs")]
        names.forget()
        connection.execute("DELETE FROM providers")
        assert (before, after, names.ids(connection, "providers", asked)) == ([[7], [7]], [[7, 9], [7, 8, 9]], [])
