CREATE TABLE `access_key` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text NOT NULL,
	`corpora` text NOT NULL,
	`created` integer NOT NULL,
	`revoked` integer
);
--> statement-breakpoint
CREATE TABLE `corpus` (
	`uid` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`strategies` text NOT NULL,
	`settings` text NOT NULL,
	`budget` text NOT NULL,
	`public` integer NOT NULL,
	`created` integer NOT NULL,
	`deleted` integer,
	`drop_job` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `corpus_live_name` ON `corpus` (`name`) WHERE deleted IS NULL;--> statement-breakpoint
CREATE INDEX `corpus_drop_job` ON `corpus` (`drop_job`) WHERE drop_job IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency` (
	`id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`status` integer,
	`response` text,
	`expires` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_expires` ON `idempotency` (`expires`);--> statement-breakpoint
CREATE TABLE `chunk` (
	`uid` text NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`tokens` integer NOT NULL,
	`own` integer NOT NULL,
	`parts` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`uid`, `id`)
);
--> statement-breakpoint
CREATE TABLE `document` (
	`uid` text NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`name` text NOT NULL,
	`url` text,
	`metadata` text NOT NULL,
	`chunks` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`uid`, `id`)
);
--> statement-breakpoint
CREATE TABLE `edge` (
	`uid` text NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`weight` real NOT NULL,
	`data` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`uid`, `source`, `kind`, `target`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `edge_target` ON `edge` (`uid`,`target`,`kind`);--> statement-breakpoint
CREATE TABLE `node` (
	`uid` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`layer` integer NOT NULL,
	`text` text NOT NULL,
	`tokens` integer NOT NULL,
	`stale` integer NOT NULL,
	`data` text NOT NULL,
	`folded` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`uid`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `published` (
	`uid` text PRIMARY KEY NOT NULL,
	`fence` integer NOT NULL,
	`version` integer NOT NULL
);
