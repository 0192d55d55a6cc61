import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';

/** A value of a tag, and how many events had it. */
export interface TagValue {
  value: string;
  count: number;
}

/** What values events of an error had of a tag; `total` counts values that are not shown as well. */
export interface TagDistribution {
  key: string;
  total: number;
  values: TagValue[];
}

/** The most frequent values suffice: tags of ids have a value per event. */
const SHOWN_VALUES = 10;

const OFFERED_VALUES = 100;

const DISTRIBUTION_SQL = `
  SELECT key, sum(events_count)::bigint AS total,
    json_agg(json_build_object('value', value, 'count', events_count) ORDER BY place)
      FILTER (WHERE place <= ${SHOWN_VALUES}) AS "values"
  FROM (SELECT key, value, events_count,
      row_number() OVER (PARTITION BY key ORDER BY events_count DESC, value) AS place
    FROM error_tags WHERE error_id = $1) t
  GROUP BY key ORDER BY key`;

/** Steps from value to value through the index, however many errors have each. */
const NAMES_SQL = `
  WITH RECURSIVE names AS (
    (SELECT value FROM error_tags WHERE project_id = $1 AND key = $2 ORDER BY value LIMIT 1)
    UNION ALL
    SELECT (SELECT t.value FROM error_tags t
      WHERE t.project_id = $1 AND t.key = $2 AND t.value > n.value ORDER BY t.value LIMIT 1)
    FROM names n WHERE n.value IS NOT NULL
  )
  SELECT value FROM names WHERE value IS NOT NULL LIMIT ${OFFERED_VALUES}`;

/** Tags of errors: what they tell of each, and what lists can be filtered by. */
@Injectable()
export class ErrorTags {
  constructor(private readonly sql: Sql) {}

  /** By key; the most frequent values of each first. */
  distribution(errorId: number): Promise<TagDistribution[]> {
    return this.sql.rows<TagDistribution>(DISTRIBUTION_SQL, [errorId]);
  }

  /** Values that errors of the project have of a tag, in order; at most a hundred. */
  async names(projectId: number, key: string): Promise<string[]> {
    const rows = await this.sql.rows<{ value: string }>(NAMES_SQL, [projectId, key]);
    return rows.map(({ value }) => value);
  }
}
