import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Makes incidents opened from alerts confidential unless a project opts out. */
export class ConfidentialIncidents1795811420000 implements MigrationInterface {
  name = 'ConfidentialIncidents1795811420000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
    ALTER TABLE "alert_settings" ADD COLUMN "confidential_incidents" BOOLEAN NOT NULL DEFAULT true;
      `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "alert_settings" DROP COLUMN "confidential_incidents";`);
  }
}
