import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds deletion of snippets with their author, and the indexes that deleting a user needs. */
export class HardDeletion1795811360000 implements MigrationInterface {
  name = 'HardDeletion1795811360000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
    ALTER TABLE "snippets" ADD COLUMN "pending_delete" boolean NOT NULL DEFAULT false;
    CREATE INDEX "ix_snippets_pending_delete" ON "snippets" ("id") WHERE "pending_delete";
    CREATE INDEX "ix_members_created_by" ON "members" ("created_by_id");
      `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
    DROP INDEX "ix_members_created_by";
    DROP INDEX "ix_snippets_pending_delete";
    ALTER TABLE "snippets" DROP COLUMN "pending_delete";
      `);
  }
}
