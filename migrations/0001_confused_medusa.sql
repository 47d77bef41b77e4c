CREATE TABLE `hook` (
	`id` text PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`preset` text NOT NULL,
	`mapping` text,
	`secrets` text NOT NULL,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `hook_uid` ON `hook` (`uid`,`id`);