CREATE TABLE `key_grant` (
	`key` text NOT NULL,
	`uid` text NOT NULL,
	PRIMARY KEY(`key`, `uid`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `key_grant_uid` ON `key_grant` (`uid`);--> statement-breakpoint
ALTER TABLE `access_key` ADD `expires` integer;--> statement-breakpoint
ALTER TABLE `access_key` ADD `used` integer;--> statement-breakpoint
ALTER TABLE `access_key` ADD `previous` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `corpus_public_name` ON `corpus` (`name`) WHERE public = 1 AND deleted IS NULL;