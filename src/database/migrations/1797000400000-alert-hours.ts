import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of alerts by hour. */
export class AlertHours1797000400000 implements MigrationInterface {
  name = 'AlertHours1797000400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "alerts" ADD "hour_totals" bigint array, ADD "totals_hour" integer,
        ADD CONSTRAINT "ck_alerts_hour_totals"
          CHECK (("hour_totals" IS NULL) = ("totals_hour" IS NULL)) NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "alerts" DROP COLUMN "hour_totals", DROP COLUMN "totals_hour"',
    );
  }
}
