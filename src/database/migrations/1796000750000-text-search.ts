import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The searched texts of an alert as one, as `src/alerts/sql/alert-list.ts` writes it. */
const ALERT_TEXT = ['description', 'service', 'monitoring_tool']
  .map((column) => ` || E'\\n' || coalesce("${column}", '')`)
  .join('');

/** Trigram indexes of the texts that alerts and errors are searched in, and of whole project texts. */
export class TextSearch1796000750000 implements MigrationInterface {
  name = 'TextSearch1796000750000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX "ix_alerts_search" ON "alerts" USING gin (("title"${ALERT_TEXT}) gin_trgm_ops);
      CREATE INDEX "ix_errors_search" ON "errors" USING gin ("search_text" gin_trgm_ops);
      DROP INDEX "ix_projects_search";
      CREATE INDEX "ix_projects_search" ON "projects"
        USING gin ("name" gin_trgm_ops, "path" gin_trgm_ops, "description" gin_trgm_ops)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX "ix_projects_search";
      CREATE INDEX "ix_projects_search" ON "projects"
        USING gin ("name" gin_trgm_ops, "path" gin_trgm_ops);
      DROP INDEX "ix_errors_search";
      DROP INDEX "ix_alerts_search"`);
  }
}
