CREATE TABLE `recovery` (
	`uid` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`time` integer NOT NULL,
	`asked` integer NOT NULL,
	`by` text,
	`step` text NOT NULL,
	`parts` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recovery_open` ON `recovery` (`uid`) WHERE step <> 'done';--> statement-breakpoint
CREATE TABLE `recovery_part` (
	`uid` text NOT NULL,
	`n` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`uid`, `n`)
);
--> statement-breakpoint
ALTER TABLE `corpus` ADD `recovering` integer DEFAULT false NOT NULL;