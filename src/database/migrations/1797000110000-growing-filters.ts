import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for the few users that administrators filter by. */
export class GrowingFilters1797000110000 implements MigrationInterface {
  name = 'GrowingFilters1797000110000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX "ix_users_admins" ON "users" ("id") WHERE "admin";
      CREATE INDEX "ix_users_external" ON "users" ("id") WHERE "external";
      CREATE INDEX "ix_users_inactive" ON "users" ("state", "id") WHERE "state" <> 'active'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP INDEX "ix_users_admins"; DROP INDEX "ix_users_external"; DROP INDEX "ix_users_inactive"',
    );
  }
}
