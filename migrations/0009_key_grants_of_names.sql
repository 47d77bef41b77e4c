INSERT OR IGNORE INTO `key_grant` (`key`, `uid`)
SELECT `access_key`.`id`, `corpus`.`uid`
FROM `access_key`, json_each(`access_key`.`corpora`) AS `named`
JOIN `corpus` ON `corpus`.`name` = `named`.`value` AND `corpus`.`deleted` IS NULL;
