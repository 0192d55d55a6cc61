import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users to whom errors are assigned. */
export class ErrorAssignees1796000100000 implements MigrationInterface {
  name = 'ErrorAssignees1796000100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "errors" ADD COLUMN "assignee_id" bigint,
        ADD CONSTRAINT "fk_errors_assignee" FOREIGN KEY ("assignee_id")
          REFERENCES "users"("id") ON DELETE SET NULL`);
    await queryRunner.query(`
      CREATE INDEX "ix_errors_assignee" ON "errors" ("assignee_id")
      WHERE "assignee_id" IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "errors" DROP COLUMN "assignee_id"');
  }
}
