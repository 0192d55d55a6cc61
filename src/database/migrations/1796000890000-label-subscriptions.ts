import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who are notified of issues and merge requests that get a label. */
export class LabelSubscriptions1796000890000 implements MigrationInterface {
  name = 'LabelSubscriptions1796000890000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "label_subscriptions" (
        "label_id" bigint NOT NULL,
        "user_id" bigint NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_label_subscriptions" PRIMARY KEY ("label_id", "user_id"),
        CONSTRAINT "fk_label_subscriptions_label" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_label_subscriptions_user" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      );
      CREATE INDEX "ix_label_subscriptions_user" ON "label_subscriptions" ("user_id");`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "label_subscriptions"');
  }
}
