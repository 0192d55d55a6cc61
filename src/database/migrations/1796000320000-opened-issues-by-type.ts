import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  ix_issues_opened: `"state" = 'opened' AND NOT "confidential"`,
  ix_issues_opened_confidential: `"state" = 'opened' AND "confidential"`,
};

/** The counter of open issues leaves incidents out without reading them. */
export class OpenedIssuesByType1796000320000 implements MigrationInterface {
  name = 'OpenedIssuesByType1796000320000';

  up(queryRunner: QueryRunner): Promise<void> {
    return recreate(queryRunner, '"project_id", "issue_type"');
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return recreate(queryRunner, '"project_id"');
  }
}

async function recreate(queryRunner: QueryRunner, columns: string): Promise<void> {
  for (const [name, condition] of Object.entries(INDEXES)) {
    await queryRunner.query(
      `DROP INDEX "${name}"; CREATE INDEX "${name}" ON "issues" (${columns}) WHERE ${condition}`,
    );
  }
}
