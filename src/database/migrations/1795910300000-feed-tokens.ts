import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of feed readers. */
export class FeedTokens1795910300000 implements MigrationInterface {
  name = 'FeedTokens1795910300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "feed_tokens" (
        "user_id" bigint NOT NULL,
        "digest" bytea NOT NULL,
        "encrypted_token" text NOT NULL,
        "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(),
        CONSTRAINT "pk_feed_tokens" PRIMARY KEY ("user_id"),
        CONSTRAINT "fk_feed_tokens_user" FOREIGN KEY ("user_id")
          REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX "uq_feed_tokens_digest" ON "feed_tokens" ("digest")',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "feed_tokens"');
  }
}
