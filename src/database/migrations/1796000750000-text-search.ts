import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The searched texts of an alert as one, as `src/alerts/sql/alert-list.ts` writes it. */
const ALERT_TEXT = ['description', 'service', 'monitoring_tool']
  .map((column) => ` || E'\\n' || coalesce("${column}", '')`)
  .join('');

/** Trigram index of the texts that alerts are searched in. */
export class TextSearch1796000750000 implements MigrationInterface {
  name = 'TextSearch1796000750000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The statistics of the expression decide between this index and those of the order.
    await queryRunner.query(`
      CREATE INDEX "ix_alerts_search" ON "alerts" USING gin (("title"${ALERT_TEXT}) gin_trgm_ops);
      ANALYZE "alerts"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "ix_alerts_search"');
  }
}
