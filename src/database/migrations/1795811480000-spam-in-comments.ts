import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments are checked for spam, like issues and snippets. */
export class SpamInComments1795811480000 implements MigrationInterface {
  name = 'SpamInComments1795811480000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
    ALTER TABLE "spam_logs" DROP CONSTRAINT "ck_spam_logs_kind";
    ALTER TABLE "spam_logs" ADD CONSTRAINT "ck_spam_logs_kind"
      CHECK ("kind" IN ('issue', 'snippet', 'comment'));
      `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
    DELETE FROM "spam_logs" WHERE "kind" = 'comment';
    ALTER TABLE "spam_logs" DROP CONSTRAINT "ck_spam_logs_kind";
    ALTER TABLE "spam_logs" ADD CONSTRAINT "ck_spam_logs_kind"
      CHECK ("kind" IN ('issue', 'snippet'));
      `);
  }
}
