import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validates the constraint on alerts in a transaction of its own, which keeps no one from the table. */
export class ValidAlertHours1797000410000 implements MigrationInterface {
  name = 'ValidAlertHours1797000410000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "alerts" VALIDATE CONSTRAINT "ck_alerts_hour_totals"');
  }

  /** A constraint stays valid; it goes with its columns. */
  async down(): Promise<void> {}
}
