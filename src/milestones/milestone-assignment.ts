import type { EntityManager } from 'typeorm';

/** What works towards a milestone of its project, or towards none. */
interface Work {
  projectId: number;
  milestoneId: number | null;
}

/** The milestone that something works towards from now on; both null for none. */
export interface MilestoneChange {
  milestoneId: number | null;
  title: string | null;
}

/** Those of the project only; kept from being deleted meanwhile. */
const WANTED_SQL = `
  SELECT id AS "milestoneId", title FROM milestones
  WHERE project_id = $1 AND id = $2 FOR KEY SHARE`;

/**
 * The change of the milestone of something new, or of something whose row the caller holds; null
 * when nothing changes. A milestone that the project does not have is left aside, as v4 does; v4
 * clients write 0 for none.
 */
export async function milestoneChange(
  tx: EntityManager,
  { projectId, milestoneId: before }: Work,
  wanted: number | null | undefined,
): Promise<MilestoneChange | null> {
  if (wanted === undefined || wanted === before) return null;
  if (!wanted) return before === null ? null : { milestoneId: null, title: null };
  const [found] = await tx.query<MilestoneChange[]>(WANTED_SQL, [projectId, wanted]);
  return found ?? null;
}
