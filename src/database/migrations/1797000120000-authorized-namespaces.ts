import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The namespaces in which a user has at least a level, directly or through a group above. A function,
 * since it declares how many it finds: the planner expects a hundredth of all namespaces from the
 * sub-select in it, and would rather read all projects of the instance than begin with that.
 */
export class AuthorizedNamespaces1797000120000 implements MigrationInterface {
  name = 'AuthorizedNamespaces1797000120000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION "authorized_namespaces"("member" bigint, "least_level" int)
      RETURNS SETOF bigint LANGUAGE plpgsql STABLE PARALLEL SAFE COST 10 ROWS 20 AS $$
      BEGIN
        RETURN QUERY SELECT below."id" FROM "namespaces" below
          WHERE below."traversal_ids" && ARRAY(SELECT m."namespace_id" FROM "members" m
            WHERE m."user_id" = "member" AND m."access_level" >= "least_level"
              AND (m."expires_at" IS NULL OR m."expires_at" > (now() AT TIME ZONE 'UTC')::date)
              AND m."namespace_id" IS NOT NULL);
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION "authorized_namespaces"(bigint, int)');
  }
}
