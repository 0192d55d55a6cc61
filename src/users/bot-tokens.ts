import type { EntityManager } from 'typeorm';
import type { AuditActor, AuditTrail } from '../core/audit/audit.service.js';

interface EndedToken {
  id: number;
  kind: 'project' | 'group';
  name: string;
  userId: number;
  projectId: number | null;
  groupId: number | null;
}

/** The creator of a bot is who made it a member. Triggers tell processes that the tokens ended. */
const END_SQL = `
  WITH ended AS (
    UPDATE access_tokens t SET revoked_at = $2, updated_at = $2
    FROM users b JOIN members m ON m.user_id = b.id
    WHERE b.user_type = 'project_bot' AND m.created_by_id = $1
      AND t.user_id = b.id AND t.revoked_at IS NULL
    RETURNING t.id, t.kind, t.name, t.user_id AS "userId", t.project_id AS "projectId",
      t.group_id AS "groupId")
  SELECT DISTINCT * FROM ended ORDER BY id`;

/** Ends the project and group access tokens whose bots a user made, for who may act no more. */
export async function endTokensOfBotsMadeBy(
  tx: EntityManager,
  { userId, now }: { userId: number; now: Date },
  { audit, actor }: { audit: AuditTrail; actor: AuditActor },
): Promise<void> {
  const ended = await tx.query<EndedToken[]>(END_SQL, [userId, now]);
  const entries = ended.map(({ id, kind, name, userId: botId, projectId, groupId }) => ({
    action: 'access_token_revoked',
    targetType: 'AccessToken',
    targetId: id,
    entity:
      projectId === null
        ? ({ type: 'Group', id: groupId } as const)
        : ({ type: 'Project', id: projectId } as const),
    details: { kind, user_id: botId, name },
  }));
  await audit.recordAll(tx, actor, entries);
}
