import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Missing and outdated texts. */
const COPY = `
  INSERT INTO "error_texts" ("error_id", "text")
  SELECT e.id, e.search_text FROM "errors" e
  WHERE NOT EXISTS (SELECT FROM "error_texts" t WHERE t.error_id = e.id AND t.text = e.search_text)
  ON CONFLICT ("error_id") DO UPDATE SET "text" = excluded."text"`;

/** Writers of errors wait from here on, while what they have written meanwhile is copied. */
const TRIGGERS = `
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
    EXECUTE FUNCTION "keep_error_text"()`;

/**
 * Searched texts of errors in a table of their own: each batch of events updates its errors, whose
 * trigrams would be written again each time.
 */
export class ErrorTexts1797000500000 implements MigrationInterface {
  name = 'ErrorTexts1797000500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The foreign key comes last, since it keeps writers of errors out until the end.
    await queryRunner.query(`
      CREATE TABLE "error_texts" (
        "error_id" bigint NOT NULL,
        "text" text NOT NULL,
        CONSTRAINT "pk_error_texts" PRIMARY KEY ("error_id")
      )`);
    await queryRunner.query(COPY);
    await queryRunner.query(
      'CREATE INDEX "ix_error_texts_search" ON "error_texts" USING gin ("text" gin_trgm_ops)',
    );
    await queryRunner.query(TRIGGERS);
    await queryRunner.query(COPY);
    await queryRunner.query(`
      DELETE FROM "error_texts" t WHERE NOT EXISTS (SELECT FROM "errors" e WHERE e.id = t.error_id);
      ALTER TABLE "error_texts" ADD CONSTRAINT "fk_error_texts_error"
        FOREIGN KEY ("error_id") REFERENCES "errors"("id") ON DELETE CASCADE;
      ANALYZE "error_texts"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TRIGGER "errors_text_changed" ON "errors";
      DROP TRIGGER "errors_inserted" ON "errors";
      DROP FUNCTION "keep_error_text";
      DROP TABLE "error_texts"`);
  }
}
