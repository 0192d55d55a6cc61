import type { MigrationInterface, QueryRunner } from 'typeorm';

/** LIKE patterns in the matchers of silences, so that no statement makes them again for each alert. */
export class SilencePatterns1796000760000 implements MigrationInterface {
  name = 'SilencePatterns1796000760000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(String.raw`
      UPDATE "alert_silences" SET "matchers" = (
        SELECT jsonb_agg(m || jsonb_build_object('pattern',
          replace(regexp_replace(m->>'value', '([\\%_])', '\\\1', 'g'), '*', '%')) ORDER BY position)
        FROM jsonb_array_elements("matchers") WITH ORDINALITY AS e (m, position))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE "alert_silences" SET "matchers" = (
        SELECT jsonb_agg(m - 'pattern' ORDER BY position)
        FROM jsonb_array_elements("matchers") WITH ORDINALITY AS e (m, position))`);
  }
}
