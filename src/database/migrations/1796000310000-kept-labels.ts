import type { MigrationInterface, QueryRunner } from 'typeorm';

const USED = (project: string): string => `
          SELECT unnest("labels") AS "name" FROM "issues" WHERE "project_id" = ${project}
          UNION SELECT unnest("labels") FROM "merge_requests" WHERE "project_id" = ${project}`;

/**
 * Transfers of projects and groups keep the labels in use, with color and description; an index of
 * the labels of merge requests; labels that a former version of the software used and did not create.
 */
export class KeptLabels1796000310000 implements MigrationInterface {
  name = 'KeptLabels1796000310000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION "keep_labels"("moved" bigint, "former" bigint[]) RETURNS void LANGUAGE sql AS $$
        INSERT INTO "labels" ("project_id", "name", "description", "color")
        SELECT DISTINCT ON (used."name") "moved", used."name", l."description", l."color"
        FROM (${USED('"moved"')}) used
        JOIN "labels" l ON l."group_id" = ANY("former") AND l."name" = used."name"
        WHERE NOT EXISTS (SELECT FROM "projects" p
            JOIN "namespaces" n ON n."id" = p."namespace_id"
            JOIN "labels" o ON o."group_id" = ANY(n."traversal_ids") AND o."name" = used."name"
            WHERE p."id" = "moved")
        ORDER BY used."name", array_position("former", l."group_id") DESC
        ON CONFLICT ("project_id", "name") DO NOTHING
      $$;
      CREATE OR REPLACE FUNCTION "keep_labels_of_moved_project"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM "keep_labels"(NEW."id", (
          SELECT "traversal_ids" FROM "namespaces" WHERE "id" = OLD."namespace_id"));
        RETURN NULL;
      END $$;
      CREATE FUNCTION "keep_labels_of_moved_group"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM "keep_labels"(p."id", OLD."traversal_ids") FROM "projects" p
        WHERE p."namespace_id" = NEW."id" AND EXISTS (SELECT FROM "labels" l
          WHERE l."group_id" = ANY(OLD."traversal_ids") AND l."group_id" <> ALL(NEW."traversal_ids"));
        RETURN NULL;
      END $$;
      CREATE TRIGGER "keep_labels" AFTER UPDATE OF "traversal_ids" ON "namespaces"
        FOR EACH ROW WHEN (NEW."traversal_ids" <> OLD."traversal_ids")
        EXECUTE FUNCTION "keep_labels_of_moved_group"();
      INSERT INTO "labels" ("project_id", "name", "color")
      SELECT DISTINCT used."project_id", used."name", '#6699cc' FROM (
        SELECT "project_id", unnest("labels") AS "name" FROM "issues"
        UNION ALL SELECT "project_id", unnest("labels") FROM "merge_requests") used
      JOIN "projects" p ON p."id" = used."project_id"
      JOIN "namespaces" n ON n."id" = p."namespace_id"
      WHERE char_length(used."name") BETWEEN 1 AND 255 AND NOT EXISTS (SELECT FROM "labels" l
        WHERE l."group_id" = ANY(n."traversal_ids") AND l."name" = used."name")
      ON CONFLICT ("project_id", "name") DO NOTHING;
      CREATE INDEX "ix_merge_requests_labels" ON "merge_requests" USING gin ("labels")`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX "ix_merge_requests_labels";
      DROP TRIGGER "keep_labels" ON "namespaces";
      DROP FUNCTION "keep_labels_of_moved_group"();
      CREATE OR REPLACE FUNCTION "keep_labels_of_moved_project"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO "labels" ("project_id", "name", "color")
        SELECT NEW."id", used."name", '#6699cc' FROM (${USED('NEW."id"')}) used
        WHERE char_length(used."name") BETWEEN 1 AND 255
          AND NOT EXISTS (SELECT FROM "namespaces" n
            JOIN "labels" l ON l."group_id" = ANY(n."traversal_ids") AND l."name" = used."name"
            WHERE n."id" = NEW."namespace_id")
        ON CONFLICT ("project_id", "name") DO NOTHING;
        RETURN NULL;
      END $$;
      DROP FUNCTION "keep_labels"(bigint, bigint[])`);
  }
}
