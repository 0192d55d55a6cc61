import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['alert_settings', 'errors', 'storage_settings', 'user_emails'];

/** Adds modification times for `If-Unmodified-Since`. */
export class ChangeTimes1795811300000 implements MigrationInterface {
  name = 'ChangeTimes1795811300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`
    ALTER TABLE "${table}" ADD COLUMN "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now();
      `);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "updated_at";`);
    }
  }
}
