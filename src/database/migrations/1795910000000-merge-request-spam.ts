import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows merge requests among what was taken for spam. */
export class MergeRequestSpam1795910000000 implements MigrationInterface {
  name = 'MergeRequestSpam1795910000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "spam_logs" DROP CONSTRAINT "ck_spam_logs_kind"`);
    await queryRunner.query(
      `ALTER TABLE "spam_logs" ADD CONSTRAINT "ck_spam_logs_kind"
       CHECK ("kind" IN ('issue', 'merge_request', 'snippet', 'comment'))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "spam_logs" WHERE "kind" = 'merge_request'`);
    await queryRunner.query(`ALTER TABLE "spam_logs" DROP CONSTRAINT "ck_spam_logs_kind"`);
    await queryRunner.query(
      `ALTER TABLE "spam_logs" ADD CONSTRAINT "ck_spam_logs_kind"
       CHECK ("kind" IN ('issue', 'snippet', 'comment'))`,
    );
  }
}
