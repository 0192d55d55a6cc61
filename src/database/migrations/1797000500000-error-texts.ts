import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Missing and outdated texts. */
const COPY = `
  INSERT INTO "error_texts" ("error_id", "text")
  SELECT e.id, e.search_text FROM "errors" e
  WHERE NOT EXISTS (SELECT FROM "error_texts" t WHERE t.error_id = e.id AND t.text = e.search_text)
  ON CONFLICT ("error_id") DO UPDATE SET "text" = excluded."text"`;

/**
 * Searched texts of errors in a table of their own: every event changes its error, whose trigrams
 * would be written again each time, but hardly ever its text.
 */
export class ErrorTexts1797000500000 implements MigrationInterface {
  name = 'ErrorTexts1797000500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "error_texts" (
        "error_id" bigint NOT NULL,
        "text" text NOT NULL,
        CONSTRAINT "pk_error_texts" PRIMARY KEY ("error_id"),
        CONSTRAINT "fk_error_texts_error" FOREIGN KEY ("error_id") REFERENCES "errors"("id")
          ON DELETE CASCADE
      )`);
    await queryRunner.query(COPY);
    await queryRunner.query(
      'CREATE INDEX "ix_error_texts_search" ON "error_texts" USING gin ("text" gin_trgm_ops)',
    );
    // Only from here on do writers wait, while what they have written meanwhile is copied.
    await queryRunner.query(`
      CREATE FUNCTION "keep_error_text"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO error_texts (error_id, text) VALUES (NEW.id, NEW.search_text)
        ON CONFLICT (error_id) DO UPDATE SET text = excluded.text;
        RETURN NULL;
      END $$;
      CREATE TRIGGER "errors_inserted" AFTER INSERT ON "errors"
        FOR EACH ROW EXECUTE FUNCTION "keep_error_text"();
      CREATE TRIGGER "errors_text_changed" AFTER UPDATE OF "search_text" ON "errors"
        FOR EACH ROW WHEN (OLD.search_text <> NEW.search_text)
        EXECUTE FUNCTION "keep_error_text"()`);
    await queryRunner.query(COPY);
    await queryRunner.query('ANALYZE "error_texts"');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TRIGGER "errors_text_changed" ON "errors";
      DROP TRIGGER "errors_inserted" ON "errors";
      DROP FUNCTION "keep_error_text";
      DROP TABLE "error_texts"`);
  }
}
