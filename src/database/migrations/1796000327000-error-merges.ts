import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Errors that are merged into others, and what such targets had and have of their own. */
export class ErrorMerges1796000327000 implements MigrationInterface {
  name = 'ErrorMerges1796000327000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "errors" ADD COLUMN "merged_into_id" bigint,
        ADD COLUMN "has_merged" boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT "ck_errors_status",
        ADD CONSTRAINT "ck_errors_status" CHECK ("status" BETWEEN 0 AND 3),
        ADD CONSTRAINT "ck_errors_merged" CHECK (("status" = 3) = ("merged_into_id" IS NOT NULL)),
        ADD CONSTRAINT "fk_errors_merged_into" FOREIGN KEY ("merged_into_id")
          REFERENCES "errors"("id") ON DELETE CASCADE;
      CREATE INDEX "ix_errors_merged_into" ON "errors" ("merged_into_id")
        WHERE "merged_into_id" IS NOT NULL;
      ALTER TABLE "error_hashes" ADD COLUMN "target_id" bigint,
        ADD CONSTRAINT "fk_error_hashes_target" FOREIGN KEY ("target_id")
          REFERENCES "errors"("id") ON DELETE CASCADE;
      CREATE INDEX "ix_error_hashes_target" ON "error_hashes" ("target_id")
        WHERE "target_id" IS NOT NULL;
      CREATE TABLE "error_own_values" (
        "error_id" bigint NOT NULL,
        "type" text,
        "value" text,
        "culprit" text NOT NULL,
        "platform" text NOT NULL,
        "logger" text,
        "level" smallint NOT NULL,
        "is_unhandled" boolean NOT NULL,
        "first_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "last_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "first_release" text,
        "last_release" text,
        "search_text" text NOT NULL,
        CONSTRAINT "pk_error_own_values" PRIMARY KEY ("error_id"),
        CONSTRAINT "fk_error_own_values_error" FOREIGN KEY ("error_id")
          REFERENCES "errors"("id") ON DELETE CASCADE
      );`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE "error_own_values";
      ALTER TABLE "error_hashes" DROP COLUMN "target_id";
      ALTER TABLE "errors" DROP CONSTRAINT "ck_errors_merged";
      UPDATE "errors" SET "status" = 0 WHERE "status" = 3;
      ALTER TABLE "errors" DROP COLUMN "merged_into_id", DROP COLUMN "has_merged", DROP CONSTRAINT "ck_errors_status",
        ADD CONSTRAINT "ck_errors_status" CHECK ("status" BETWEEN 0 AND 2);`);
  }
}
