import type { MigrationInterface, QueryRunner } from 'typeorm';

const ORDERS = {
  users: ['username', 'name', 'created_at', 'updated_at'],
  projects: ['name', 'path', 'updated_at'],
} as const;

/** The columns by which lists of all users and projects are sorted: a page is read without sorting all rows. */
export class ListOrders1796000770000 implements MigrationInterface {
  name = 'ListOrders1796000770000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(ORDERS)) {
      for (const column of columns) {
        await queryRunner.query(
          `CREATE INDEX "ix_${table}_${column}" ON "${table}" ("${column}", "id")`,
        );
      }
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(ORDERS)) {
      for (const column of columns) await queryRunner.query(`DROP INDEX "ix_${table}_${column}"`);
    }
  }
}
