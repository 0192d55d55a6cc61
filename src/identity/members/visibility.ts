/** Visibility levels of groups, projects and snippets. */
export const VISIBILITY = { private: 0, internal: 10, public: 20 } as const;

export type VisibilityName = keyof typeof VISIBILITY;

export const VISIBILITY_NAMES = ['private', 'internal', 'public'] as const;

/** The wire name of a stored level. */
export function visibilityName(level: number): VisibilityName {
  const name = VISIBILITY_NAMES.find((candidate) => VISIBILITY[candidate] === level);
  if (name === undefined) throw new Error(`Unknown visibility level ${level}`);
  return name;
}
