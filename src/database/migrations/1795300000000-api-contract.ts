import type { MigrationInterface, QueryRunner } from 'typeorm';

const SETTINGS = `
    CREATE TABLE "application_settings" (
      "name" text NOT NULL,
      "value" jsonb NOT NULL,
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_application_settings" PRIMARY KEY ("name")
    );
    CREATE FUNCTION "notify_settings_change"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('settings', '');
      RETURN NULL;
    END $$;
    CREATE TRIGGER "application_settings_changed"
      AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "application_settings"
      FOR EACH STATEMENT EXECUTE FUNCTION "notify_settings_change"();
`;

/** Nobody shall be an administrator by way of a bot's token. */
const USERS = `
    UPDATE "users" SET "admin" = false WHERE "user_type" <> 'human' AND "admin";
    ALTER TABLE "users"
      ADD CONSTRAINT "ck_users_admin" CHECK ("user_type" = 'human' OR NOT "admin");
`;

/**
 * Projects have few access tokens among many job tokens, and so do people: lists of the former
 * must not read the latter.
 */
const TOKENS = `
    ALTER TABLE "access_tokens"
      ADD COLUMN "project_id" bigint,
      ADD COLUMN "group_id" bigint,
      ADD COLUMN "family_id" bigint,
      ADD COLUMN "previous_id" bigint,
      ADD COLUMN "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      ADD CONSTRAINT "ck_access_tokens_resource" CHECK (
        num_nonnulls("project_id", "group_id") =
          CASE WHEN "kind" IN ('project', 'group', 'job') THEN 1 ELSE 0 END
        AND ("kind" = 'group') = ("group_id" IS NOT NULL)
      ),
      ADD CONSTRAINT "fk_access_tokens_project" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE,
      ADD CONSTRAINT "fk_access_tokens_group" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE;
    CREATE INDEX "ix_access_tokens_family" ON "access_tokens" ("family_id");
    CREATE INDEX "ix_access_tokens_project" ON "access_tokens" ("project_id", "kind", "expires_at");
    CREATE INDEX "ix_access_tokens_group" ON "access_tokens" ("group_id", "id");
    DROP INDEX "ix_access_tokens_user";
    CREATE INDEX "ix_access_tokens_user" ON "access_tokens" ("user_id", "kind", "id");
    CREATE TABLE "access_token_ips" (
      "token_id" bigint NOT NULL,
      "ip" inet NOT NULL,
      "seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "pk_access_token_ips" PRIMARY KEY ("token_id", "ip"),
      CONSTRAINT "fk_access_token_ips_token" FOREIGN KEY ("token_id") REFERENCES "access_tokens"("id") ON DELETE CASCADE
    );
`;

/**
 * Earlier rows of users, groups and projects belong to their own trails. Names are copied into
 * each row as it is written, so that it stays readable when what it speaks of is gone.
 */
const AUDIT = `
    ALTER TABLE "audit_events"
      ADD COLUMN "entity_type" text,
      ADD COLUMN "entity_id" bigint,
      ADD COLUMN "ip_address" inet,
      ADD COLUMN "author_name" text,
      ADD COLUMN "impersonator_name" text,
      ADD COLUMN "target_name" text,
      ADD COLUMN "entity_path" text;
    CREATE FUNCTION "audited_name"("type" text, "wanted" bigint) RETURNS text LANGUAGE sql STABLE AS $$
      SELECT CASE "type"
        WHEN 'User' THEN (SELECT "username" FROM "users" WHERE "id" = "wanted")
        WHEN 'Group' THEN (SELECT "full_path" FROM "namespaces" WHERE "id" = "wanted")
        WHEN 'Project' THEN (
          SELECT n."full_path" || '/' || p."path"
          FROM "projects" p JOIN "namespaces" n ON n."id" = p."namespace_id" WHERE p."id" = "wanted")
        WHEN 'Snippet' THEN (SELECT "title" FROM "snippets" WHERE "id" = "wanted")
        WHEN 'AccessToken' THEN (SELECT "name" FROM "access_tokens" WHERE "id" = "wanted")
      END
    $$;
    UPDATE "audit_events" SET
      "entity_type" = CASE WHEN "target_type" IN ('User', 'Group', 'Project') THEN "target_type" ELSE 'Instance' END,
      "entity_id" = CASE WHEN "target_type" IN ('User', 'Group', 'Project') THEN "target_id" END,
      "author_name" = (SELECT "name" FROM "users" u WHERE u."id" = "author_id"),
      "impersonator_name" = (SELECT "name" FROM "users" u WHERE u."id" = "impersonator_id"),
      "target_name" = audited_name("target_type", "target_id");
    UPDATE "audit_events" SET "entity_path" = audited_name("entity_type", "entity_id");
    ALTER TABLE "audit_events" ALTER COLUMN "entity_type" SET NOT NULL;
    CREATE INDEX "ix_audit_events_entity" ON "audit_events" ("entity_type", "entity_id", "id");
    CREATE INDEX "ix_audit_events_author" ON "audit_events" ("author_id", "id");
    CREATE INDEX "ix_audit_events_created_at" ON "audit_events" ("created_at");
    CREATE FUNCTION "name_audit_event"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW."author_name" := coalesce(NEW."author_name", (SELECT "name" FROM "users" WHERE "id" = NEW."author_id"));
      NEW."impersonator_name" := coalesce(NEW."impersonator_name", (SELECT "name" FROM "users" WHERE "id" = NEW."impersonator_id"));
      NEW."target_name" := coalesce(NEW."target_name", audited_name(NEW."target_type", NEW."target_id"));
      NEW."entity_path" := coalesce(NEW."entity_path", audited_name(NEW."entity_type", NEW."entity_id"));
      RETURN NEW;
    END $$;
    CREATE TRIGGER "audit_events_named"
      BEFORE INSERT ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "name_audit_event"();
    CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'audit_events is append only' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER "audit_events_append_only"
      BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
      FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
`;

const SPAM = `
    CREATE TABLE "spam_logs" (
      "id" bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
      "user_id" bigint NOT NULL,
      "kind" text NOT NULL,
      "title" text NOT NULL,
      "checker" text NOT NULL,
      "reason" text NOT NULL,
      "ip_address" inet,
      "user_agent" text NOT NULL DEFAULT '',
      "redeemed_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "ck_spam_logs_kind" CHECK ("kind" IN ('issue', 'snippet')),
      CONSTRAINT "pk_spam_logs" PRIMARY KEY ("id"),
      CONSTRAINT "fk_spam_logs_user" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
    );
    CREATE INDEX "ix_spam_logs_user" ON "spam_logs" ("user_id", "created_at");
    CREATE TABLE "spam_submissions" (
      "id" bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
      "user_id" bigint NOT NULL,
      "digest" bytea NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_spam_submissions" PRIMARY KEY ("id"),
      CONSTRAINT "fk_spam_submissions_user" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
    );
    CREATE INDEX "ix_spam_submissions_user" ON "spam_submissions" ("user_id", "created_at");
`;

/** The counter of a project numbers its issues; a number is never given twice. */
const ISSUES = `
    CREATE TABLE "issue_counters" (
      "project_id" bigint NOT NULL,
      "last_iid" bigint NOT NULL,
      CONSTRAINT "pk_issue_counters" PRIMARY KEY ("project_id"),
      CONSTRAINT "fk_issue_counters_project" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE
    );
    CREATE TABLE "issues" (
      "id" bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
      "project_id" bigint NOT NULL,
      "iid" bigint NOT NULL,
      "author_id" bigint NOT NULL,
      "title" text NOT NULL,
      "description" text,
      "state" text NOT NULL DEFAULT 'opened',
      "confidential" boolean NOT NULL DEFAULT false,
      "closed_at" TIMESTAMP(3) WITH TIME ZONE,
      "closed_by_id" bigint,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "ck_issues_state" CHECK ("state" IN ('opened', 'closed')),
      CONSTRAINT "ck_issues_closed" CHECK (
        ("state" = 'closed') = ("closed_at" IS NOT NULL)
        AND ("closed_by_id" IS NULL OR "closed_at" IS NOT NULL)
      ),
      CONSTRAINT "ck_issues_title" CHECK (char_length("title") BETWEEN 1 AND 255),
      CONSTRAINT "ck_issues_description" CHECK (char_length("description") <= 1048576),
      CONSTRAINT "pk_issues" PRIMARY KEY ("id"),
      CONSTRAINT "fk_issues_project" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE,
      CONSTRAINT "fk_issues_author" FOREIGN KEY ("author_id") REFERENCES "users"("id"),
      CONSTRAINT "fk_issues_closed_by" FOREIGN KEY ("closed_by_id") REFERENCES "users"("id")
    );
    CREATE UNIQUE INDEX "uq_issues_project_iid" ON "issues" ("project_id", "iid");
    CREATE INDEX "ix_issues_project_created_at" ON "issues" ("project_id", "created_at", "id");
    CREATE INDEX "ix_issues_created_at" ON "issues" ("created_at", "id");
    CREATE INDEX "ix_issues_opened" ON "issues" ("project_id") WHERE "state" = 'opened' AND NOT "confidential";
    CREATE INDEX "ix_issues_author" ON "issues" ("author_id", "id");
    CREATE INDEX "ix_issues_closed_by" ON "issues" ("closed_by_id");
`;

/** Jobs get their row with the move's, whichever statement schedules it. */
const JOBS = `
    CREATE TABLE "background_jobs" (
      "id" bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
      "project_id" bigint NOT NULL,
      "kind" text NOT NULL,
      "subject_id" bigint NOT NULL,
      CONSTRAINT "ck_background_jobs_kind" CHECK ("kind" IN ('project_move', 'snippet_move')),
      CONSTRAINT "pk_background_jobs" PRIMARY KEY ("id"),
      CONSTRAINT "fk_background_jobs_project" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX "uq_background_jobs_subject" ON "background_jobs" ("kind", "subject_id");
    CREATE INDEX "ix_background_jobs_project" ON "background_jobs" ("project_id", "id");
    INSERT INTO "background_jobs" ("project_id", "kind", "subject_id")
      SELECT "project_id", "kind", "id" FROM (
        SELECT "project_id", 'project_move' AS "kind", "id", "created_at"
        FROM "project_repository_storage_moves"
        UNION ALL
        SELECT s."project_id", 'snippet_move', m."id", m."created_at"
        FROM "snippet_repository_storage_moves" m JOIN "snippets" s ON s."id" = m."snippet_id"
        WHERE s."project_id" IS NOT NULL
      ) moves ORDER BY "created_at", "id";
    CREATE FUNCTION "list_project_moves"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO "background_jobs" ("project_id", "kind", "subject_id")
        SELECT "project_id", 'project_move', "id" FROM inserted ORDER BY "id";
      RETURN NULL;
    END $$;
    CREATE TRIGGER "project_moves_listed"
      AFTER INSERT ON "project_repository_storage_moves"
      REFERENCING NEW TABLE AS inserted
      FOR EACH STATEMENT EXECUTE FUNCTION "list_project_moves"();
    CREATE FUNCTION "list_snippet_moves"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO "background_jobs" ("project_id", "kind", "subject_id")
        SELECT s."project_id", 'snippet_move', i."id"
        FROM inserted i JOIN "snippets" s ON s."id" = i."snippet_id"
        WHERE s."project_id" IS NOT NULL ORDER BY i."id";
      RETURN NULL;
    END $$;
    CREATE TRIGGER "snippet_moves_listed"
      AFTER INSERT ON "snippet_repository_storage_moves"
      REFERENCING NEW TABLE AS inserted
      FOR EACH STATEMENT EXECUTE FUNCTION "list_snippet_moves"();
`;

/** Settings, token families, resource tokens, whole audit rows, spam logs, issues, job listings. */
export class ApiContract1795300000000 implements MigrationInterface {
  name = 'ApiContract1795300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const parts = [SETTINGS, USERS, TOKENS, AUDIT, SPAM, ISSUES, JOBS];
    for (const part of parts) await queryRunner.query(part);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
    DROP TRIGGER "snippet_moves_listed" ON "snippet_repository_storage_moves";
    DROP TRIGGER "project_moves_listed" ON "project_repository_storage_moves";
    DROP FUNCTION "list_snippet_moves";
    DROP FUNCTION "list_project_moves";
    DROP TABLE "issues", "issue_counters", "spam_submissions";
    DROP TABLE "background_jobs", "spam_logs", "access_token_ips", "application_settings";
    DROP FUNCTION "notify_settings_change";
    DROP TRIGGER "audit_events_append_only" ON "audit_events";
    DROP TRIGGER "audit_events_named" ON "audit_events";
    DROP FUNCTION "refuse_audit_change";
    DROP FUNCTION "name_audit_event";
    DROP FUNCTION "audited_name";
    DROP INDEX "ix_audit_events_created_at";
    DROP INDEX "ix_audit_events_author";
    ALTER TABLE "audit_events"
      DROP COLUMN "entity_type", DROP COLUMN "entity_id", DROP COLUMN "ip_address",
      DROP COLUMN "author_name", DROP COLUMN "impersonator_name",
      DROP COLUMN "target_name", DROP COLUMN "entity_path";
    DELETE FROM "access_tokens" WHERE "kind" IN ('project', 'group', 'job');
    DROP INDEX "ix_access_tokens_user";
    CREATE INDEX "ix_access_tokens_user" ON "access_tokens" ("user_id", "id");
    ALTER TABLE "users" DROP CONSTRAINT "ck_users_admin";
    ALTER TABLE "access_tokens"
      DROP CONSTRAINT "ck_access_tokens_resource",
      DROP COLUMN "project_id", DROP COLUMN "group_id", DROP COLUMN "family_id",
      DROP COLUMN "previous_id", DROP COLUMN "updated_at";
    `);
  }
}
