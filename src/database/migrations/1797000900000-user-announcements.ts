import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Announces users only when something changes that a credential carries. Each sign-in writes
 * columns of the user, and commits that announce something wait for each other.
 */
export class UserAnnouncements1797000900000 implements MigrationInterface {
  name = 'UserAnnouncements1797000900000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE TRIGGER "users_changed"
      AFTER UPDATE OF "username", "name", "email", "avatar", "admin", "external", "state",
        "user_type", "confirmed_at" ON "users" FOR EACH ROW
      WHEN ((OLD."username", OLD."name", OLD."email", OLD."avatar", OLD."admin", OLD."external",
          OLD."state", OLD."user_type", OLD."confirmed_at") IS DISTINCT FROM
        (NEW."username", NEW."name", NEW."email", NEW."avatar", NEW."admin", NEW."external",
          NEW."state", NEW."user_type", NEW."confirmed_at"))
      EXECUTE FUNCTION "notify_user_change"();
      CREATE TRIGGER "users_removed" AFTER DELETE ON "users"
      FOR EACH ROW EXECUTE FUNCTION "notify_user_change"()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TRIGGER "users_removed" ON "users";
      CREATE OR REPLACE TRIGGER "users_changed"
      AFTER UPDATE OR DELETE ON "users"
      FOR EACH ROW EXECUTE FUNCTION "notify_user_change"()`);
  }
}
