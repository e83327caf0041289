/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test vectors for Poly1271, in the form of testmgr_vectors.h, which includes this. The
 * tags were checked against the definition evaluated with big integers.
 */

#ifndef POLY1271_VECTORS_H
#define POLY1271_VECTORS_H

/* The longest of the messages, in bytes */
#define POLY1305_TESTVEC_MAX	256

static const char poly1305_testvecs[2][8192] POLY1305_TESTVECS_SECTION = {
	V("length 0",
	  "58198a1fe2870256e11393b0a9d71bc346f1e202f09ef92e38c6e075ad51fee5",
	  "",
	  "46f1e202f09ef92e38c6e075ad51fee5")
	V("length 1",
	  "d2021c899784080d2570df1b5661739be0b00c4b414a43b7ea0989f52ea6fbfa",
	  "fe",
	  "494fda702b693baebc71aa9c9e8bd75a")
	V("length 14",
	  "ca8b3db977a15f39acc80c48615c370945760334a10863abd3831db111cee51e",
	  "ef6dd4a260c7bf03f3b09aa01a3c",
	  "908a58096de38f0bedd3cdb82c65f07c")
	V("length 15",
	  "30665d79d9210f9f39d6dd235cae30f6c95107676b00d5f461fe1cf1092a0415",
	  "06ce57a1e5e7e6549ed56f1f26d2d6",
	  "17a6092d42aed5e70029d690e4256b59")
	V("length 16",
	  "d44527f61b68aae159c61e1a20fa028eeefd0ba7654e470e88ff7df83d0ab1e3",
	  "62de209abadc9a3db8aefe733c9c0baf",
	  "035b279587207ff7fd11d9aab3630a1b")
	V("length 29",
	  "42b3d74512390edc2b2454b430e708aa06807a802d80da13100ef90214b26e48",
	  "05e7617bc1f1e967d3e15f1b29aad81f9ce53d2d787e6d7026700e0477",
	  "6a8e15987e81c1fabc23ae408568d6bd")
	V("length 30",
	  "db1c9a799c2d26e97480d6f4b74860810193350fe1300bf033f5660222316d39",
	  "be988cd1d83b6d62b85c4322149378499c83e4274b45e85c4d9fe9cdb170",
	  "c9b5da19526e5c60d1205a11d08d29ab")
	V("length 31",
	  "468528bd241c8aeaff64716ccf99aa9f204e52b5b46c8768a6f07cfa5a861ff9",
	  "fe23de369a9c628406278e3ece525147b2da959663fdc4f0ce4a194598e5d7",
	  "dd5f0c5c46ff3cc08ec0c77596e82d40")
	V("length 44",
	  "9d57d7501ecaf7b71b5a5be2a0ef81eeb621fe8c74c48f0eeeecd9d419e44801",
	  "ffd3f0c2cd0d4464b5aa6e118a38d9e09e60f18323cda13ac5fd02551a3af41b"
	  "12334aea5eaf8eb82de796df",
	  "26311bc2dd28fe3d97ba3d0a37d2cc79")
	V("length 45",
	  "836a9bf60775fd9d67241005d3fd1d6f30bbb5d72ad5f2a6b9f764c070f10f98",
	  "fec8ec2b33821237b84e4d62cfbf270637d9baf7db6eddb26800f94b59514eaf"
	  "6887f6e89318325ab5a47b47ea",
	  "08efffcfff79941241995c34375f2efd")
	V("length 46",
	  "903bd3f148b5dfd4cadbce0b916068e57d1d54771bccb0bd153cace8d11b574b",
	  "9dd05a13247c316add11ceaff5047f434efb328106faa44a996c7caeff23ef48"
	  "91d940349850936494a55d3e85be",
	  "bd2029c9b9fceb88616ac2df4e685392")
	V("length 59",
	  "2a2b2b1feddc0ba8c1ea64f0a01b4e727d7057c1b4a9e0a929daadb6ac8ef107",
	  "93da1eb576ef0e54eb84f7b269f48e4b0a40bcd5a4c6f3c2decc99b5c3069916"
	  "92d2a0c077692fe4bb75b643dc92f22dda1c35223a0581e2dfab23",
	  "128e6b9a77323b9c8b6f13c03ea50224")
	V("length 60",
	  "fb5ced77a06038871fe8da258dee03ce48f85235b0abac4b4758e5e90d96c16c",
	  "6567a480e2b5a0ff037bfa0514929f62ffd7273343128a567772ac71e5641465"
	  "4dee7dbb76618f22274201e25c33acdf6fea77a13a0c25fbd8cc405e",
	  "aa75279452d10f8c06c3e17c1f3dedc3")
	V("length 61",
	  "9c2c87d97ad34914fe59379af77a827dc4bcfbe3ae1c0b25d626eaf7b3c75c50",
	  "fd5afa511c5dc6e4727646b134e078ad5bfbb3b1f1d8a73a42d941e33bb81451"
	  "aa917a30fa6d11b28d23bf7c6af228b818cd570d872dc1896ab9454e3f",
	  "2e15b506aa84431a51c73bde21b2cb56")
	V("length 119",
	  "9a4f8d026781f59c7f9c1bbc06a904dc73f081e56b17fac86c7a8ae038c2ecd8",
	  "9be5e8c17499b9df9c0d039af54f38109a6d665b958734ad0190e7ca802d579c"
	  "766c3f301c6b147d29998b6bfa3324a92e7c45bee956e8442de1a6356f0aa681"
	  "c9c6fbc7e4fab7accca955d0dc419de18b78453e13b9f7c5c43836c638ea261e"
	  "2107bfdbe1c5a9820ca6fe06c781f765bfb27a1c2f9fb4",
	  "481bb4b781dd5bc9eaaf4674713b47f8")
	V("length 120",
	  "fc5965aac5b4ac806d0d4039fbe1582737e5bfaeb371769c51dc17836757eff5",
	  "006c0cee0ff64c4c00f7cc2c77a0920f787a27bae9d5b070d72f43bdc708303a"
	  "14e2f2d936676d2139daf0873df1e26aade0a46c36a713a31d30f6040a8c710a"
	  "935fad5459a19c0b7328974c8816bdab72426c2d4da7b5071c67cc5bafff0cc1"
	  "c8d4ef07ff87757afcde7b1340d63d42249a71d005f54b85",
	  "475b42ccd07f764f911f36e1b7e5bd37")
	V("length 121",
	  "29f04b8414679f974fd69c508e696e725410a0aa39fcadbf49943aca3f682962",
	  "0efd2a7e7d01dfb5140cc0c32740670ded3aefc4924b1e0c593dff44deabd6f8"
	  "fceb819bdcbedbfe23344edb79881037caa8f6bab4c2fc9616f003960ebed2e5"
	  "8e373cedfe22e25655a9ccdb43e3dd5075f6d66461124767dfb786d23dfe7907"
	  "a83fd1439b44374f0f1db9f064f4077998890c8de4c22493ad",
	  "d0ad3db80bf4bd81d1a57389406ce6bd")
	V("length 240",
	  "2f90fcf0f3c906de5dc27361aef38c52a159e31f9a7af14152ac36f200b6b07a",
	  "ae41e384226bb15736a25fd1a09da8ec39fae4d353a08d26d627b4760ff95da6"
	  "fb46e681f3270126d8fe0151d8daadccbd4031e0cd3cd114134cd56ca40e5f09"
	  "d6bb751fd850f89e0775f697f30cc3977b8aed293314b3109505bcae8238f53c"
	  "2a9f8f8221199750c8107d0336b1e5db702addb31dd9e76cd66aaa8fb09648a6"
	  "f71d9f86bd719c113a7aa5033b89de7780fee6ec32e20093abe2501c0a5bd811"
	  "9816291c3baf92643d8e6c94ffc5d890179d47b0fac5f9e3a5c80d5f3876149e"
	  "fd5158cb6d1ca7b7cfd37b463fb6b2a3e592df1c5e03b53012f564e7b03ce937"
	  "3b63f3d93801912afcaf31a44fa5391f",
	  "7bd827ffa1140a712e8d08f63b0e7cd0")
	V("length 255",
	  "f4e66dbc3f5b9cb8b151f7c8e4cc086e1ec05c1063b85d5fb7216512d7e5ccb2",
	  "f730bec45c976d0d36d35d5608b967ffa2c2bf4938e5f2d4882c06dcbdbf6a05"
	  "0163d53a052dbb94ca3fc9d1de516a8db3d23c762fb4b25a2f466e02c7b2a3f5"
	  "1d13e12f35330a07fbad25dd30572a994221795eeda06f5479e8ab2bb6c54f80"
	  "0e7c654df9d11dcc03b8bb16ca32d692d6875e343a8199b530f5840e7c3357e3"
	  "8e38d25cff0bdf47b19b852f469bdc70057c4aee3cc8f12799822208af0144e4"
	  "557c9e5c3a90ef6443beb223b9046089887907654a569d25dee723c4e2aba0a4"
	  "1bf69205287228d3f90a0ed5c75dabf7997ff75efe522a51f2656b63e9610926"
	  "247abae6570de65b0b5d0a554a8ba35378e67fb9c7825b63baebe56f777fd4",
	  "aa2469c10ce8c42afbdfebfd1b5c8907"),

	V("length 256",
	  "fcfe910b29257853941930033d8a940366837bd953cca5012fb5ba0e4bc71bbc",
	  "ffdc081aab7465a3fa465bb17ca08d8fb7417721223064c555645cdbb1bdf729"
	  "1c4e54f46f63fc20d034c5b3db6568ee7ec8289e0b28d7238cffc5892d35fa6b"
	  "28e9e49229c70281466134020dca96bb43e15d5a7fa8c4235256a3f593492694"
	  "97acb5a526b43f40577163fcc4ccef2043fd3c7eda3f955427abaf2ae22ed5b1"
	  "4fd6481d4169d078b3bf0e616d9f238363376a71cd65290d16ba6c26a7a608c7"
	  "abf02d8076562256854d3073eaba79bec964b959c4b3f85b409574bb11502e76"
	  "d02a6b2fed2e437a06e153c8a84ce0ed3409c8ccb019794140f31e2af75b483a"
	  "e3cce5273859a5442158d2ecae03774c912f359e2a1321ff71ba70096b5e5e06",
	  "2b2a4321f7a0311339d3ee2cc43816f5")
	V("all ones, 15 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffff",
	  "ffff3fe0030040e0030040e003002076")
	V("all ones, 30 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "a3ffd78fbfffd3d2ceffcf15deff6d3e")
	V("all ones, 45 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffff",
	  "dfc4b7f53684ce1ca383a55b4ba33041")
	V("all ones, 60 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "a6f3f263465aa41add0e0590cef03557")
	V("all ones, 75 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffff",
	  "4057cdc395aec880e0b6fe37e2c0d542")
	V("all ones, 150 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffff",
	  "758f04b6fc0d291468fd20738ef0332c")
	V("h = 0 (mod p)",
	  "a2f10193369d8b785e98a0499628949cffffffffffffffffffffffffffffffff",
	  "9c8a1845c0f430e83890cd5cfe379ab0c4f26d330ba04e47840a2ee530a7",
	  "ffffffffffffffffffffffffffffffff")
	V("h = p - 1 (mod p)",
	  "95e760a093df46e6a8ae0c80692aecfeffffffffffffffffffffffffffffffff",
	  "a92a32d4e0626f93036fb287f98f5215ee1392a4cc7e8a6128b6484e4ec0",
	  "fdffffffffffffffffffffffffffff7f")
	V("h = 1 (mod p)",
	  "d5a394346010c9e845bee0664e657a80ffffffffffffffffffffffffffffffff",
	  "248b39cc0fa4f6b5a6795664ca5d7eacaf202a3a29efb1de9f99747d8d76",
	  "00000000000000000000000000000000")
};

#endif /* POLY1271_VECTORS_H */
