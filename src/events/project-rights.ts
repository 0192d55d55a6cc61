import type { EventRights } from './event-rights.js';

/** Somebody's rights in many projects, each worked out once for a project. */
export interface ProjectRights {
  /** The rights as columns of `p`. */
  rights: EventRights;
  /** What to select from `projects p` to have them: its id, and each that was asked for. */
  columns(): string;
}

/**
 * For statements that read more events than there are projects: `columns` belong into a sub-select
 * that takes the place of `projects p`.
 */
export function onceForProjects({ viewer, has, may, isMember }: EventRights): ProjectRights {
  const names = new Map<string, string>();
  const column = (sql: string): string => {
    if (sql === 'true' || sql === 'false') return sql;
    const name = names.get(sql) ?? `right_${names.size}`;
    names.set(sql, name);
    return `p.${name}`;
  };
  return {
    rights: {
      viewer,
      has: (feature) => column(has(feature)),
      may: (ability) => column(may(ability)),
      isMember: () => column(isMember()),
    },
    columns: () => ['p.id', ...[...names].map(([sql, name]) => `(${sql}) AS ${name}`)].join(', '),
  };
}
