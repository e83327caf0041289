/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Made by tests/kernel/corners.py, which describes how; do not edit. The members are
 * those of struct corner.
 */
	{ "the sum p - 1", 0xff, 48,
		  "01000000000000000000000000000000ffffffffffffffffffffffffffffff00",
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ff3d0000000000000000000000000000000000000000000000000000000000",
		  "fdffffffffffffffffffffffffffff80" },
	{ "the sum p", 0xff, 48,
		  "0100000000000000000000000000000000000000000000000000000000000000",
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ff3e0000000000000000000000000000000000000000000000000000000000",
		  "00000000000000000000000000000000" },
	{ "the sum p + 1", 0xff, 48,
		  "01000000000000000000000000000000ffffffffffffffffffffffffffffff00",
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ff3f0000000000000000000000000000000000000000000000000000000000",
		  "00000000000000000000000000000001" },
	{ "the sum 2p - 1", 0xff, 112,
		  "0100000000000000000000000000000000000000000000000000000000000000",
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ff7c0000000000000000000000000000000000000000000000000000000000",
		  "feffffffffffffffffffffffffffff7f" },
	{ "the sum 2p", 0xff, 112,
		  "01000000000000000000000000000000ffffffffffffffffffffffffffffff00",
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ff7d0000000000000000000000000000000000000000000000000000000000",
		  "ffffffffffffffffffffffffffffff00" },
	{ "the sum 2p + 1", 0xff, 112,
		  "0100000000000000000000000000000000000000000000000000000000000000",
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		  "ff7e0000000000000000000000000000000000000000000000000000000000",
		  "01000000000000000000000000000000" },
	{ "0, r greatest", 0xff, 0,
		  "ffffff0ffcffff0ffcffff0ffcffff07ffffffffffffffffffffffffffffff00",
		  "4f0ab535789bca3dd6c8b3d3138ba8d0562c192bdf9d6d45704e9aee85e8",
		  "ffffffffffffffffffffffffffffff00" },
	{ "1, r greatest", 0x00, 0,
		  "ffffff0ffcffff0ffcffff0ffcffff0700000000000000000000000000000000",
		  "a006b99d0b0c9873be824fe92f37ef15113ed90aca7a57279551c81f517d",
		  "01000000000000000000000000000000" },
	{ "p - 1, r greatest", 0xff, 5,
		  "ffffff0ffcffff0ffcffff0ffcffff07ffffffffffffffffffffffffffffff00",
		  "6869c499484b765226f13072eb1857f1cedb91d0b20b6ab9c0779e31cf66",
		  "fdffffffffffffffffffffffffffff80" },
	{ "2^64, r greatest", 0x00, 5,
		  "ffffff0ffcffff0ffcffff0ffcffff0700000000000000000000000000000000",
		  "04b8be1baa2b0763f239c0ad0d2823a2118089eba2305396d1cccaa94c21",
		  "00000000000000000100000000000000" },
	{ "2^64 - 1, r greatest", 0xff, 31,
		  "ffffff0ffcffff0ffcffff0ffcffff07ffffffffffffffffffffffffffffff00",
		  "27ae62d7466884d22cdd213488e02ff66e9de1ff9b30fc89af789634ccad",
		  "feffffffffffffff0000000000000001" },
	{ "2^126, r greatest", 0x00, 31,
		  "ffffff0ffcffff0ffcffff0ffcffff0700000000000000000000000000000000",
		  "6cecbac79516bd18251575d5798700e14bcff337f144a9d41a8dafa5c694",
		  "00000000000000000000000000000040" },
	{ "p - 2^64, r greatest", 0xff, 64,
		  "ffffff0ffcffff0ffcffff0ffcffff07ffffffffffffffffffffffffffffff00",
		  "eb58afb7d97b5b4ea211430f369a74733f837de5134675ae55ba80709cdf",
		  "fefffffffffffffffeffffffffffff80" },
	{ "0, r greatest", 0x00, 64,
		  "ffffff0ffcffff0ffcffff0ffcffff0700000000000000000000000000000000",
		  "fbce194bc869f7a084cd4b316ec70d4d180272ea768363252a51cf528241",
		  "00000000000000000000000000000000" },
	{ "1, r greatest", 0xff, 255,
		  "ffffff0ffcffff0ffcffff0ffcffff07ffffffffffffffffffffffffffffff00",
		  "67bbd4125e80b4b9a9e2c006e84e0e73b2e783460065344f86112a3ff043",
		  "00000000000000000000000000000001" },
	{ "p - 1, r greatest", 0x00, 255,
		  "ffffff0ffcffff0ffcffff0ffcffff0700000000000000000000000000000000",
		  "b12a13b8e4c4f55e1d4dc8766b2ed19f048902a096060924b57f37bf8258",
		  "feffffffffffffffffffffffffffff7f" },
	{ "2^64, r greatest", 0xff, 514,
		  "ffffff0ffcffff0ffcffff0ffcffff07ffffffffffffffffffffffffffffff00",
		  "d09dc04534362c0859cce599577834422c95ed20d8c8eb12be56a1e50f67",
		  "ffffffffffffffff0000000000000001" },
	{ "2^64 - 1, r greatest", 0x00, 514,
		  "ffffff0ffcffff0ffcffff0ffcffff0700000000000000000000000000000000",
		  "bf79662b5b7dce1cfa016d0c1c8152eae29c694167d6357f0deac3c12328",
		  "ffffffffffffffff0000000000000000" },
	{ "2^126, r = 2^66", 0xff, 0,
		  "00000000000000000400000000000000ffffffffffffffffffffffffffffff00",
		  "0000000000000000000000000000009f8d91047ea19677358a5bc8ab262054ae"
		  "23bda1cafe0684c9b9ed077aa5",
		  "ffffffffffffffffffffffffffffff40" },
	{ "p - 2^64, r = 2^66", 0x00, 0,
		  "0000000000000000040000000000000000000000000000000000000000000000",
		  "479a37fe2344bc77f1543378f83a627458653e3c28eef4e396210770ef0e",
		  "fffffffffffffffffeffffffffffff7f" },
	{ "0, r = 2^66", 0xff, 5,
		  "00000000000000000400000000000000ffffffffffffffffffffffffffffff00",
		  "0000000000000000000000000000009f8d91047ea19677358a5bc8ab26204430"
		  "24bda1cafef6c1d1bbed077aa5",
		  "ffffffffffffffffffffffffffffff00" },
	{ "1, r = 2^66", 0x00, 5,
		  "0000000000000000040000000000000000000000000000000000000000000000",
		  "479a37fe2344bc77f1543378f83a626c57653e3c28ee14c396210770ef0e",
		  "01000000000000000000000000000000" },
	{ "p - 1, r = 2^66", 0xff, 31,
		  "00000000000000000400000000000000ffffffffffffffffffffffffffffff00",
		  "000000000000000000000000000000c331254705a9d57fec3b2dba29a9759483"
		  "a64f36c794dc52458d67fb9db1",
		  "fdffffffffffffffffffffffffffff80" },
	{ "2^64, r = 2^66", 0x00, 31,
		  "0000000000000000040000000000000000000000000000000000000000000000",
		  "000000000000000000000000000000c897d3e9999f9e7b5b845dd33a9be198ab"
		  "8f54e71dd26cae1aa116906001",
		  "00000000000000000100000000000000" },
	{ "2^64 - 1, r = 2^66", 0xff, 64,
		  "00000000000000000400000000000000ffffffffffffffffffffffffffffff00",
		  "12d249a1c3831f84dbd8e8f83ec12ac0ac8772d00e0d632786126212540e",
		  "feffffffffffffff0000000000000001" },
	{ "2^126, r = 2^66", 0x00, 64,
		  "0000000000000000040000000000000000000000000000000000000000000000",
		  "971d14cd294a88b15016db6c90d6d9ac13407c19bfff3a6aa21258cca518",
		  "00000000000000000000000000000040" },
	{ "p - 2^64, r = 2^66", 0xff, 255,
		  "00000000000000000400000000000000ffffffffffffffffffffffffffffff00",
		  "0000000000000000000000000000000000000000000000000000000000000000"
		  "0000000000000000000000000000000000000000000000000000000000000000"
		  "00000000000000000000006b47b4e57b2dbd8f6a7471def25c18a35b740c6918"
		  "3df732da3069104a0b",
		  "fefffffffffffffffeffffffffffff80" },
	{ "0, r = 2^66", 0x00, 255,
		  "0000000000000000040000000000000000000000000000000000000000000000",
		  "479a37fe2344bc77f1543378f83a627458653e3c28eef4e396210770ef0e",
		  "00000000000000000000000000000000" },
	{ "1, r = 2^66", 0xff, 514,
		  "00000000000000000400000000000000ffffffffffffffffffffffffffffff00",
		  "0000000000000000000000000000009f8d91047ea19677358a5bc8ab262044f0"
		  "33bda1cafe16c2d1bbed077aa5",
		  "00000000000000000000000000000001" },
	{ "p - 1, r = 2^66", 0x00, 514,
		  "0000000000000000040000000000000000000000000000000000000000000000",
		  "479a37fe2344bc77f1543378f83a626c57653e3c28eed4c292210770ef0e",
		  "feffffffffffffffffffffffffffff7f" },
	{ "2^64, r^2 = -811954", 0xff, 70,
		  "89b9c702086a3707e45ab60d08a59c05ffffffffffffffffffffffffffffff00",
		  "efdba5e52647a214a1358772c4081ec9ae06c50d4521da39d96cc58fa39e",
		  "ffffffffffffffff0000000000000001" },
	{ "2^64 - 1, r^2 = -811954", 0xff, 301,
		  "89b9c702086a3707e45ab60d08a59c0500000000000000000000000000000000",
		  "3f5f82b42c4d6e4e00f72e675ca4955815a4c924e00bc3d38969978073c7",
		  "ffffffffffffffff0000000000000000" },
	{ "2^126, r^2 = -811954", 0xff, 1100,
		  "89b9c702086a3707e45ab60d08a59c05ffffffffffffffffffffffffffffff00",
		  "df653b52385906c2be797e508cdb84e75b2f1edf0f58c78f3e8f12a75143",
		  "ffffffffffffffffffffffffffffff40" },
	{ "p - 2^64, r^4 = -13579367", 0xff, 70,
		  "9a629d05e4a05e0a8433be0a8cafae0300000000000000000000000000000000",
		  "cce5012a8a0a25a5669225ec49501126bcfe9fd804fcbcca909ffe8b677f",
		  "fffffffffffffffffeffffffffffff7f" },
	{ "0, r^4 = -13579367", 0xff, 301,
		  "9a629d05e4a05e0a8433be0a8cafae03ffffffffffffffffffffffffffffff00",
		  "0000000000000000000000000000000000000000000000000000000000000000"
		  "000000000000000000000000000000000000000000000000000000005105ed0c"
		  "64528f45aa27088a984ba70535cd9ea602a8618f7c7952e4ff74",
		  "ffffffffffffffffffffffffffffff00" },
	{ "1, r^4 = -13579367", 0xff, 1100,
		  "9a629d05e4a05e0a8433be0a8cafae0300000000000000000000000000000000",
		  "00000000000000000000000000000040423a297478f083701b1b1ddf2758c0bf"
		  "2653f9b0af3d0bff8e998de61f",
		  "01000000000000000000000000000000" },
	{ "p - 1, r^8 = -5450155", 0xff, 70,
		  "805f1d0f5c30de0b1ccbe0062c3e6b04ffffffffffffffffffffffffffffff00",
		  "5131cc55f0d08dd2dbcf17609b65c02c5d43058e32499dd2ed00e155aab4",
		  "fdffffffffffffffffffffffffffff80" },
	{ "2^64, r^8 = -5450155", 0xff, 301,
		  "805f1d0f5c30de0b1ccbe0062c3e6b0400000000000000000000000000000000",
		  "2d8d381369c94eca241e466e1de36a272a9cd8211cbbd9e1bd8be3f97205",
		  "00000000000000000100000000000000" },
	{ "2^64 - 1, r^8 = -5450155", 0xff, 1100,
		  "805f1d0f5c30de0b1ccbe0062c3e6b04ffffffffffffffffffffffffffffff00",
		  "00000000000000000000000000000041f029b05e43b21ced298b88e2f1a0e7d3"
		  "b2e82bc444f5f8c18a0e1ab5f2",
		  "feffffffffffffff0000000000000001" },
	{ "2^126, r^16 = -5981918", 0xff, 70,
		  "e39d230918111006bc7b6009b88fc60600000000000000000000000000000000",
		  "309707a8282a94949a4996b0274145df3d99430f031aeaac9196c3f10ebd",
		  "00000000000000000000000000000040" },
	{ "p - 2^64, r^16 = -5981918", 0xff, 301,
		  "e39d230918111006bc7b6009b88fc606ffffffffffffffffffffffffffffff00",
		  "000000000000000000000000000000b56431e2f54081bca4c094ed7c4d86",
		  "fefffffffffffffffeffffffffffff80" },
	{ "0, r^16 = -5981918", 0xff, 1100,
		  "e39d230918111006bc7b6009b88fc60600000000000000000000000000000000",
		  "0cf37365a122558ce397c4bea9beef11afb1e816ee024970f4dffa199661",
		  "00000000000000000000000000000000" },
	{ "1, r^32 = -5656563", 0xff, 70,
		  "08aade08285e4e0d307d0e0848634c01ffffffffffffffffffffffffffffff00",
		  "0000000000000000000000000000000000000000000000000000000000002df7"
		  "c8ee228acf030c4a3e031c565eb0f0f30b2e5c674847365987e8ba6c",
		  "00000000000000000000000000000001" },
	{ "p - 1, r^32 = -5656563", 0xff, 301,
		  "08aade08285e4e0d307d0e0848634c0100000000000000000000000000000000",
		  "0000000000000000000000000000000000000000000000000000000000009e49"
		  "32594d975518a0a7e3f1a6cfca39ea1b59d46a69f296f79eaea7fa91",
		  "feffffffffffffffffffffffffffff7f" },
	{ "2^64, r^32 = -5656563", 0xff, 1100,
		  "08aade08285e4e0d307d0e0848634c01ffffffffffffffffffffffffffffff00",
		  "0cf37365a122558ce397c4bea9beefa95fb5cb9e9cf1e4d043fdb565ed1d",
		  "ffffffffffffffff0000000000000001" },
	{ "2^64 - 1, r^64 = -3166885", 0xff, 70,
		  "279ec70ba8e44501bca1ec0528b6f20400000000000000000000000000000000",
		  "2e3b289a53941063a12cb6d920adb37869c6876535789703986f3f61376f",
		  "ffffffffffffffff0000000000000000" },
	{ "2^126, r^64 = -3166885", 0xff, 301,
		  "279ec70ba8e44501bca1ec0528b6f204ffffffffffffffffffffffffffffff00",
		  "35c8ed5c60c09cf3157c4a7fb9793781ef16b444a03bb52e70a896a76472",
		  "ffffffffffffffffffffffffffffff40" },
	{ "p - 2^64, r^64 = -3166885", 0xff, 1100,
		  "279ec70ba8e44501bca1ec0528b6f20400000000000000000000000000000000",
		  "cce5012a8a0a25a5669225ec495011c0b7024497e49c68d1f52dc9f84519",
		  "fffffffffffffffffeffffffffffff7f" },
	{ "0, r^128 = -1428793", 0xff, 70,
		  "938f1609d04efe0c6c7dc602747f1c06ffffffffffffffffffffffffffffff00",
		  "eaaabf30efb099b52503d3a332d02b30ab1ba3e0521d765c24c9381fb646",
		  "ffffffffffffffffffffffffffffff00" },
	{ "1, r^128 = -1428793", 0xff, 301,
		  "938f1609d04efe0c6c7dc602747f1c0600000000000000000000000000000000",
		  "5f801fc966896690b884bcf54bb84158c6b2ab7f67bf46708d42981c9895",
		  "01000000000000000000000000000000" },
	{ "p - 1, r^128 = -1428793", 0xff, 1100,
		  "938f1609d04efe0c6c7dc602747f1c06ffffffffffffffffffffffffffffff00",
		  "00000000000000000000000000000021ba2639c0ed4969988d45b5297dae",
		  "fdffffffffffffffffffffffffffff80" },
	{ "2^64, r^2 carries", 0xff, 5,
		  "95d63107287b3704d80b00000000000000000000000000000000000000000000",
		  "ce41e1375fa0a8d65faf05c350e4a2364e71de82a4c30c9c2ccd3e1367ef",
		  "00000000000000000100000000000000" },
	{ "2^64 - 1, r^2 carries", 0xff, 31,
		  "95d63107287b3704d80b000000000000ffffffffffffffffffffffffffffff00",
		  "0000000000000000000000000000005bfd289b19be1fcab9607892bd4998d3ff"
		  "3c14013d266101f30059ce6595",
		  "feffffffffffffff0000000000000001" },
	{ "2^126, r^2 carries", 0xff, 64,
		  "95d63107287b3704d80b00000000000000000000000000000000000000000000",
		  "56977af884c756ce4a184879ac572cc72e21dd6af40da9d85f7a25aca388",
		  "00000000000000000000000000000040" },
	{ "p - 2^64, r^2 carries", 0xff, 255,
		  "95d63107287b3704d80b000000000000ffffffffffffffffffffffffffffff00",
		  "12d249a1c3831f84dbd8e8f83ec12a934c45e62fcba1bcc4a29906aa4e9c",
		  "fefffffffffffffffeffffffffffff80" },
	{ "0, r^2 carries", 0xff, 514,
		  "95d63107287b3704d80b00000000000000000000000000000000000000000000",
		  "2ab8316c06c9c99ca2087276923e0a56e756dff2a8298cde463b616dfcb1",
		  "00000000000000000000000000000000" },
	{ "1, r^2 carries", 0xff, 5,
		  "217b560478e0b0054412000000000000ffffffffffffffffffffffffffffff00",
		  "c5583c677dde9814f2429146b1838d6cd12469b16d17c5970364997a61b1",
		  "00000000000000000000000000000001" },
	{ "p - 1, r^2 carries", 0xff, 31,
		  "217b560478e0b005441200000000000000000000000000000000000000000000",
		  "75d55f9877d8ccda9281e95119e815234a395baf4de9dbc687659d527061",
		  "feffffffffffffffffffffffffffff7f" },
	{ "2^64, r^2 carries", 0xff, 64,
		  "217b560478e0b0054412000000000000ffffffffffffffffffffffffffffff00",
		  "3eb1922d4282acb583e8befb58da4c24ab1dca5c8fcabc4bfba729198af2",
		  "ffffffffffffffff0000000000000001" },
	{ "2^64 - 1, r^2 carries", 0xff, 255,
		  "217b560478e0b005441200000000000000000000000000000000000000000000",
		  "d986651616f83bcac6385a16f7d849fa79fa257261cdf3cd842709c481d0",
		  "ffffffffffffffff0000000000000000" },
	{ "2^126, r^2 carries", 0xff, 514,
		  "217b560478e0b0054412000000000000ffffffffffffffffffffffffffffff00",
		  "2ab8316c06c9c99ca2087276923e0a0e90c06500ff537f39de2aaf5946d6",
		  "ffffffffffffffffffffffffffffff40" },
